import { randomFrom } from '#e2e/harness/campaigns/random.ts'
import { planReading } from '#server/selling/orders/plan-reading.ts'
import { Environment } from './environment.ts'
import { Ledger, type Mutant } from './ledger.ts'
import { check } from './oracle.ts'
import { drawSettings, type Settings } from './settings.ts'
import { VirtualTime } from './virtual-time.ts'
import { Worker } from './workers.ts'

interface SimulationResult {
  settings: Settings
  violations: string[]
  purchases: number
  doublePurchases: number
  crashes: number
  /** Number of callbacks that ran. */
  events: number
}

interface SimulationOptions {
  mutant?: Mutant
  /** Called for every event, with its time in seconds. */
  trace?: (line: string) => void
}

/** Etsy-like platforms sign the time of a push, so a server with a wrong clock refuses it (Standard Webhooks). */
const signsTime = (platform: number) => platform % 2 === 1
const toleranceMs = 300_000

/**
 * Simulates platforms, buyers, a seller and two of our workers in virtual time, determined by the seed. Faults happen
 * for a while. Then the environment settles, and the oracle checks the result.
 */
export function runSimulation(seed: number, options: SimulationOptions = {}): SimulationResult {
  const random = randomFrom(seed)
  const settings = drawSettings(seed, random)
  const time = new VirtualTime()
  const environment = new Environment(time, settings, random)
  const ledger = new Ledger(options.mutant ?? null)
  if (options.trace) environment.trace = (line) => options.trace?.(`${(time.nowMs / 1000).toFixed(3)} ${line}`)
  const workers = [new Worker(environment, ledger, 'worker A'), new Worker(environment, ledger, 'worker B')]
  for (const worker of workers) worker.others = workers.filter((other) => other !== worker)

  openShops(settings, ledger)
  for (let number = 0; number < settings.items; number++) listEverywhere(environment, ledger, `I${number}`)
  environment.receivePush = (platform, order, sentMs) =>
    receivePush(environment, ledger, workers, platform, order.id, sentMs)
  seller(environment, ledger)
  for (const worker of workers) worker.pollBy(0)

  let events = time.runUntil(settings.activeMs)
  environment.calm = true
  events += time.runUntil(settings.activeMs + settings.calmMs)
  const verdict = check(environment, ledger)
  return {
    ...{ settings, events },
    ...verdict,
    purchases: environment.orders.size,
    crashes: environment.faults.filter(({ platform }) => platform === null).length,
  }
}

function openShops(settings: Settings, ledger: Ledger): void {
  const shops = Array.from({ length: settings.platforms }, (_, platform) => ({
    key: String(platform),
    ordersLastWeek: 5,
    pushesWork: false,
  }))
  const budget = { callsPerDay: settings.pollCallsPerDay, share: 0.5, fastestSeconds: 60, slowestSeconds: 21_600 }
  const { intervals } = planReading(shops, budget)
  for (let platform = 0; platform < settings.platforms; platform++) {
    ledger.syncs.push({
      ...{ platform, nextMs: 0, leaseMs: 0, epoch: 0, readUntilMs: null, fullMs: null, failures: 0 },
      intervalSeconds: intervals.get(String(platform))!,
    })
  }
}

function listEverywhere(environment: Environment, ledger: Ledger, item: string): void {
  ledger.items.set(item, 'available')
  for (let platform = 0; platform < environment.settings.platforms; platform++) {
    ledger.channel.set(environment.put(item, platform).id, { item, platform, state: 'available' })
  }
}

/** Receives a push at one of our servers, which verifies and stores it before acknowledging. */
function receivePush(
  environment: Environment,
  ledger: Ledger,
  workers: Worker[],
  platform: number,
  order: string,
  sentMs: number,
): ReturnType<Environment['receivePush']> {
  const server = Math.floor(environment.between(0, workers.length))
  if (!workers[server]!.alive) return 'unreachable'
  const clockMs = environment.time.nowMs + environment.settings.clockOffMs[server]!
  const sentByClockMs = sentMs + (environment.settings.platformClockOffMs[platform] ?? 0)
  if (signsTime(platform) && Math.abs(clockMs - sentByClockMs) > toleranceMs) return 'refused'
  environment.trace(`push of ${order} is stored`)
  ledger.storeFetchRequest(platform, order, environment.time.nowMs)
  for (const worker of workers) {
    const isLost = !environment.calm && environment.chance(environment.settings.notificationLost)
    worker.pollBy(environment.time.nowMs + (isLost ? 1_000 : 5))
  }
  return 'accepted'
}

/** Lets the seller cancel oversold orders and relist freed items, as alerts request. */
function seller(environment: Environment, ledger: Ledger): void {
  const look = () => {
    for (const alert of ledger.alerts) {
      if (!alert.isOpen || !environment.chance(0.5)) continue
      if (alert.kind === 'oversell') environment.cancel(environment.orders.get(alert.key)!)
      if (alert.kind !== 'relist_offer') continue
      alert.isOpen = false
      if (ledger.items.get(alert.item) !== 'available' || environment.calm) continue
      for (let platform = 0; platform < environment.settings.platforms; platform++) {
        const rows = [...ledger.channel].filter(([, row]) => row.item === alert.item && row.platform === platform)
        // Before relisting, read the listings that an unpaid order ended, and wait for those that are being ended.
        for (const [listing, row] of rows) {
          if (row.state === 'reserved' && environment.listings.get(listing)!.downMs !== null) row.state = 'removed'
        }
        if (!rows.some(([, { state }]) => state === 'available' || state === 'reserved'))
          ledger.channel.set(environment.put(alert.item, platform).id, {
            item: alert.item,
            platform,
            state: 'available',
          })
      }
    }
    if (!environment.calm) environment.time.after(45_000, look)
  }
  environment.time.after(45_000, look)
}
