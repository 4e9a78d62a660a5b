import { overlapEverySeconds } from '#server/selling/orders/read-budgets.ts'
import type { Ledger } from './ledger.ts'
import { type Fault, statusAt, type TrueOrder, type World } from './world.ts'

/** From when we were told of a sale, without anything going wrong around us, until no buyer finds the item elsewhere. */
export const cleanReactionMs = 8_000
/** The same after something went wrong: a lease must run out, a wait that failures made long must end. */
export const recoveredReactionMs = 60_000

export interface Verdict {
  violations: string[]
  /** Pairs of purchases of one thing. */
  doublePurchases: number
}

const legalMoves = new Set([
  'available reserved',
  'reserved available',
  'available withdrawn',
  'withdrawn available',
  'available sold',
  'reserved sold',
  'sold available',
])

/** Looks at a world that has calmed down, with the eyes of somebody who knows what truly happened (faults 3.1). */
export function check(world: World, ledger: Ledger): Verdict {
  const violations = [...ledger.faults]
  const doubles = checkDoubles(world, ledger, violations)
  checkOrders(world, ledger, violations)
  previewDecisions(world, ledger, violations)
  checkSpeed(world, ledger, violations)
  return { violations, doublePurchases: doubles }
}

/** Every order is known as it is. */
function checkOrders(world: World, ledger: Ledger, violations: string[]): void {
  for (const order of world.orders.values()) {
    const truth = order.versions.at(-1)!.status
    const line = ledger.lines.get(order.id)
    if (!line) {
      // One that was made and cancelled while nobody looked changed nothing.
      if (truth !== 'cancelled') violations.push(`${order.id} is ${truth} and was never recorded`)
      continue
    }
    if (line.status !== truth) violations.push(`${order.id} is ${truth} and known as ${line.status}`)
    if ((line.state === 'cancelled') !== (truth === 'cancelled'))
      violations.push(`${order.id} is ${truth}, its line ${line.state}`)
    if (truth === 'paid' && line.state !== 'sold' && line.state !== 'oversell')
      violations.push(`${order.id} is paid, its line ${line.state}`)
    // I11
    if (
      line.state === 'oversell' &&
      !ledger.alarms.some(({ kind, key, isOpen }) => isOpen && kind === 'oversell' && key === order.id)
    ) {
      violations.push(`I11 ${order.id} is an oversell without an alarm`)
    }
  }
  for (const hint of ledger.hints.values()) {
    if (!hint.handled) violations.push(`I4 the push of ${hint.order} was never handled`)
  }
}

function previewDecisions(world: World, ledger: Ledger, violations: string[]): void {
  for (const [item, state] of ledger.items) {
    const lines = [...ledger.lines.values()].filter((line) => line.item === item)
    const live = ledger.liveSales.get(item) ?? []
    if (live.length > 1) violations.push(`I1 ${item} has ${live.length} live sales`)
    const has = lines.filter((line) => line.state === 'sold' || line.state === 'held')
    if (has.length > 1) violations.push(`I1 ${item} is had by ${has.map(({ key }) => key).join(', ')}`)
    if (live.length > 0 !== (state === 'sold')) violations.push(`I2 ${item} is ${state} with ${live.length} live sales`)
    if (state === 'available' && lines.some((line) => line.state === 'oversell')) {
      violations.push(`I11 ${item} is available while somebody who bought it waits`)
    }
    if (state === 'available') continue
    // Nothing that is not available is on offer anywhere, once the world is calm.
    for (const listing of world.listings.values()) {
      if (listing.item === item && listing.downMs === null)
        violations.push(`I3 ${item} is ${state}, and ${listing.id} is on offer`)
    }
  }
  for (const { item, from, to } of ledger.moves) {
    if (!legalMoves.has(`${from} ${to}`)) violations.push(`I2 ${item} moved from ${from} to ${to}`)
  }
  for (const intent of ledger.intents) {
    if (intent.state === 'open') violations.push(`I3 taking down ${intent.listing} was never finished`)
  }
}

/**
 * Where nothing goes wrong, an order that we were told of is recorded within seconds, and one that nobody told us of by
 * the next reading of its shop.
 */
function checkSpeed(world: World, ledger: Ledger, violations: string[]): void {
  const isQuiet = (fromMs: number, toMs: number, platform: number) =>
    !world.faults.some(
      (fault) =>
        (fault.platform === null || fault.platform === platform) &&
        fault.toMs >= fromMs - 10 * recoveredReactionMs &&
        fault.fromMs <= toMs,
    )
  for (const { id, platform, versions } of world.orders.values()) {
    const shownMs = versions[0]!.shownMs
    const recordedMs = ledger.lines.get(id)?.recordedMs ?? Number.POSITIVE_INFINITY
    // Cancelled before anybody could see it.
    if (versions.length > 1 && versions[1]!.shownMs <= shownMs + world.settings.lagMs) continue
    // Told before it could be fetched: it is asked for less and less often until it is there.
    const firstMs = ledger.firstTold.get(id) ?? Number.POSITIVE_INFINITY
    const toldMs = firstMs < shownMs ? Number.POSITIVE_INFINITY : firstMs
    if (
      world.settings.lagMs === 0 &&
      recordedMs > toldMs + cleanReactionMs &&
      isQuiet(toldMs, toldMs + cleanReactionMs, platform)
    ) {
      violations.push(`${id} was recorded ${Math.round(recordedMs - toldMs)} ms after its push was kept`)
    }
    const interval = ledger.syncs[platform]!.intervalSeconds * 1_000
    const isLate = shownMs > versions[0]!.atMs
    const withinMs =
      interval + world.settings.lagMs + cleanReactionMs + (isLate ? overlapEverySeconds * 1_000 : interval)
    if (recordedMs > shownMs + withinMs && isQuiet(shownMs, shownMs + withinMs, platform)) {
      violations.push(`F24 ${id} was not found by the readings of its shop`)
    }
  }
}

/** Every double purchase is one that nobody could have prevented, and both buyers are accounted for. */
function checkDoubles(world: World, ledger: Ledger, violations: string[]): number {
  let count = 0
  for (const second of world.orders.values()) {
    for (const version of second.versions) {
      if (version.status === 'cancelled' || version.atMs !== second.versions[0]!.atMs) continue
      for (const first of world.orders.values()) {
        if (first === second || first.item !== second.item) continue
        const before = statusAt(first, version.atMs)
        if (before === null || before === 'cancelled') continue
        count++
        checkOne(world, ledger, first, second, version.atMs, violations)
      }
    }
  }
  return count
}

function checkOne(
  world: World,
  ledger: Ledger,
  first: TrueOrder,
  second: TrueOrder,
  atMs: number,
  violations: string[],
): void {
  // When the platform, asked, first showed us the purchase that stood when the second was made.
  const standing = first.versions.filter((version) => version.atMs <= atMs)
  const since = standing.findLastIndex(({ status }) => status === 'cancelled') + 1
  const readMs = Math.min(...standing.slice(since).map((version) => version.readMs ?? Number.POSITIVE_INFINITY))
  // Work that died with its worker is found by the next reading of its shop.
  const rereadMs = ledger.syncs[first.platform]!.intervalSeconds * 1_000
  if (readMs < atMs && couldHaveReacted(world.faults, readMs, atMs, [first.platform, second.platform], rereadMs)) {
    violations.push(
      `${second.id} on P${second.platform} was bought ${Math.round(atMs - readMs)} ms after we could know of ${first.id} on P${first.platform}`,
    )
  }
  const [one, other] = [ledger.lines.get(first.id), ledger.lines.get(second.id)]
  if (one?.status !== 'paid' || other?.status !== 'paid') return
  const isFlagged = ledger.alarms.some(
    ({ kind, key }) => kind === 'oversell' && (key === first.id || key === second.id),
  )
  if (!isFlagged) violations.push(`I11 ${first.id} and ${second.id} both bought ${first.item}, and nobody was told`)
}

/**
 * Whether there was a stretch long enough, free of faults of these platforms or our machines, between knowing and the
 * second purchase. Where there were faults, what was known may have to be read again: `rereadMs` more.
 */
export function couldHaveReacted(
  faults: readonly Fault[],
  fromMs: number,
  toMs: number,
  platforms: readonly number[],
  rereadMs: number,
): boolean {
  const neededMs = recoveredReactionMs + rereadMs
  const touching = faults
    .filter((fault) => fault.platform === null || platforms.includes(fault.platform))
    .filter((fault) => fault.toMs >= fromMs - neededMs && fault.fromMs <= toMs)
    .sort((one, other) => one.fromMs - other.fromMs)
  if (touching.length === 0) return toMs - fromMs > cleanReactionMs
  let freeSinceMs = fromMs
  for (const fault of touching) {
    if (fault.fromMs - freeSinceMs > neededMs) return true
    freeSinceMs = Math.max(freeSinceMs, fault.toMs)
  }
  return toMs - freeSinceMs > neededMs
}
