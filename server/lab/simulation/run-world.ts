import { planReading } from '#server/selling/orders/plan-reading.ts'
import { Ledger, type Mutant } from './ledger.ts'
import { check } from './oracle.ts'
import { randomFrom } from './random.ts'
import { drawSettings, type Settings } from './settings.ts'
import { VirtualTime } from './virtual-time.ts'
import { Worker } from './workers.ts'
import { World } from './world.ts'

export interface WorldResult {
  settings: Settings
  violations: string[]
  purchases: number
  doublePurchases: number
  crashes: number
  /** Things that happened. */
  events: number
}

export interface WorldOptions {
  mutant?: Mutant
  /** Told everything that happens, with its time in seconds. */
  trace?: (line: string) => void
}

/** Etsy-like platforms sign the time of a push, and a server whose clock is off refuses it (Standard Webhooks). */
const signsTime = (platform: number) => platform % 2 === 1
const toleranceMs = 300_000

/**
 * One simulated world (issue "The guarantee"): platforms, buyers, a seller and two of our workers, in virtual time, wholly
 * determined by its seed. Faults happen for a while; then the world calms down, and whoever knows the truth judges.
 */
export function runWorld(seed: number, options: WorldOptions = {}): WorldResult {
  const random = randomFrom(seed)
  const settings = drawSettings(seed, random)
  const time = new VirtualTime()
  const world = new World(time, settings, random)
  const ledger = new Ledger(options.mutant ?? null)
  if (options.trace) world.trace = (line) => options.trace?.(`${(time.nowMs / 1000).toFixed(3)} ${line}`)
  const workers = [new Worker(world, ledger, 'worker A'), new Worker(world, ledger, 'worker B')]
  for (const worker of workers) worker.others = workers.filter((other) => other !== worker)

  openShops(settings, ledger)
  for (let number = 0; number < settings.items; number++) listEverywhere(world, ledger, `I${number}`)
  world.hear = (platform, order, sentMs) => hear(world, ledger, workers, platform, order.id, sentMs)
  seller(world, ledger)
  for (const worker of workers) worker.lookBy(0)

  let events = time.runUntil(settings.activeMs)
  world.calm = true
  events += time.runUntil(settings.activeMs + settings.calmMs)
  const verdict = check(world, ledger)
  return {
    ...{ settings, events },
    ...verdict,
    purchases: world.orders.size,
    crashes: world.faults.filter(({ platform }) => platform === null).length,
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

function listEverywhere(world: World, ledger: Ledger, item: string): void {
  ledger.items.set(item, 'available')
  for (let platform = 0; platform < world.settings.platforms; platform++) {
    ledger.channel.set(world.put(item, platform).id, { item, platform, state: 'available' })
  }
}

/** A push arrives at one of our servers: proven, kept, acknowledged; or not. */
function hear(
  world: World,
  ledger: Ledger,
  workers: Worker[],
  platform: number,
  order: string,
  sentMs: number,
): ReturnType<World['hear']> {
  const server = Math.floor(world.between(0, workers.length))
  if (!workers[server]!.alive) return 'nobody_there'
  const clockMs = world.time.nowMs + world.settings.clockOffMs[server]!
  const sentByClockMs = sentMs + (world.settings.platformClockOffMs[platform] ?? 0)
  if (signsTime(platform) && Math.abs(clockMs - sentByClockMs) > toleranceMs) return 'refused'
  world.trace(`push of ${order} is kept`)
  ledger.keepHint(platform, order, world.time.nowMs)
  for (const worker of workers) {
    const isLost = !world.calm && world.chance(world.settings.noticeLost)
    worker.lookBy(world.time.nowMs + (isLost ? 1_000 : 5))
  }
  return 'taken'
}

/** The seller cancels what the alarms tell to cancel, and lists again what was freed. */
function seller(world: World, ledger: Ledger): void {
  const look = () => {
    for (const alarm of ledger.alarms) {
      if (!alarm.isOpen || !world.chance(0.5)) continue
      if (alarm.kind === 'oversell') world.cancel(world.orders.get(alarm.key)!)
      if (alarm.kind !== 'relist_offer') continue
      alarm.isOpen = false
      if (ledger.items.get(alarm.item) !== 'available' || world.calm) continue
      for (let platform = 0; platform < world.settings.platforms; platform++) {
        const rows = [...ledger.channel].filter(([, row]) => row.item === alarm.item && row.platform === platform)
        // Reads items freed by an unpaid order before relisting them, and waits for listings that are being taken down.
        for (const [listing, row] of rows) {
          if (row.state === 'reserved' && world.listings.get(listing)!.downMs !== null) row.state = 'removed'
        }
        if (!rows.some(([, { state }]) => state === 'available' || state === 'reserved'))
          ledger.channel.set(world.put(alarm.item, platform).id, { item: alarm.item, platform, state: 'available' })
      }
    }
    if (!world.calm) world.time.after(45_000, look)
  }
  world.time.after(45_000, look)
}
