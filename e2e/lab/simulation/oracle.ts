import { overlapEverySeconds } from '#server/selling/orders/read-budgets.ts'
import { type Environment, type Fault, statusAt, type TrueOrder } from './environment.ts'
import type { Ledger } from './ledger.ts'

/** Maximum time from a push until the item is no longer for sale elsewhere, without faults. */
const cleanReactionMs = 8_000
/** The same after a fault, when a lease must expire or a retry delay must end. */
const recoveredReactionMs = 60_000

export interface Verdict {
  violations: string[]
  /** Pairs of purchases of one item. */
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

/** Checks a simulation that has settled, knowing the true state (docs/faults.md). */
export function check(environment: Environment, ledger: Ledger): Verdict {
  const violations = [...ledger.faults]
  const doubles = checkDoubles(environment, ledger, violations)
  checkOrders(environment, ledger, violations)
  checkItems(environment, ledger, violations)
  checkSpeed(environment, ledger, violations)
  return { violations, doublePurchases: doubles }
}

/** Checks that every order is recorded correctly. */
function checkOrders(environment: Environment, ledger: Ledger, violations: string[]): void {
  for (const order of environment.orders.values()) {
    const truth = order.versions.at(-1)!.status
    const line = ledger.lines.get(order.id)
    if (!line) {
      // An order that was cancelled before it was read changed nothing.
      if (truth !== 'cancelled') violations.push(`${order.id} is ${truth} and was never recorded`)
      continue
    }
    if (line.status !== truth) violations.push(`${order.id} is ${truth} and known as ${line.status}`)
    if ((line.state === 'cancelled') !== (truth === 'cancelled'))
      violations.push(`${order.id} is ${truth}, its line ${line.state}`)
    if (truth === 'paid' && line.state !== 'sold' && line.state !== 'oversell')
      violations.push(`${order.id} is paid, its line ${line.state}`)
    if (
      line.state === 'oversell' &&
      !ledger.alerts.some(({ kind, key, isOpen }) => isOpen && kind === 'oversell' && key === order.id)
    ) {
      violations.push(`${order.id} is an oversell without an alert`)
    }
  }
  for (const request of ledger.fetchRequests.values()) {
    if (!request.handled) violations.push(`the push of ${request.order} was never handled`)
  }
}

function checkItems(environment: Environment, ledger: Ledger, violations: string[]): void {
  for (const [item, state] of ledger.items) {
    const lines = [...ledger.lines.values()].filter((line) => line.item === item)
    const live = ledger.liveSales.get(item) ?? []
    if (live.length > 1) violations.push(`${item} has ${live.length} live sales`)
    const has = lines.filter((line) => line.state === 'sold' || line.state === 'held')
    if (has.length > 1) violations.push(`${item} is claimed by ${has.map(({ key }) => key).join(', ')}`)
    if (live.length > 0 !== (state === 'sold')) violations.push(`${item} is ${state} with ${live.length} live sales`)
    if (state === 'available' && lines.some((line) => line.state === 'oversell')) {
      violations.push(`${item} is available while one of its buyers waits`)
    }
    if (state === 'available') continue
    // Once everything has settled, an item that is not available has no live listing.
    for (const listing of environment.listings.values()) {
      if (listing.item === item && listing.downMs === null)
        violations.push(`${item} is ${state}, and ${listing.id} is live`)
    }
  }
  for (const { item, from, to } of ledger.moves) {
    if (!legalMoves.has(`${from} ${to}`)) violations.push(`${item} moved from ${from} to ${to}`)
  }
  for (const operation of ledger.operations) {
    if (operation.state === 'open') violations.push(`delisting ${operation.listing} was never finished`)
  }
}

/**
 * Checks that without faults a pushed order is recorded within seconds, and any other order by the next reading of its
 * shop.
 */
function checkSpeed(environment: Environment, ledger: Ledger, violations: string[]): void {
  const isQuiet = (fromMs: number, toMs: number, platform: number) =>
    !environment.faults.some(
      (fault) =>
        (fault.platform === null || fault.platform === platform) &&
        fault.toMs >= fromMs - 10 * recoveredReactionMs &&
        fault.fromMs <= toMs,
    )
  for (const { id, platform, versions } of environment.orders.values()) {
    const shownMs = versions[0]!.shownMs
    const recordedMs = ledger.lines.get(id)?.recordedMs ?? Number.POSITIVE_INFINITY
    // The order was cancelled before it could be read.
    if (versions.length > 1 && versions[1]!.shownMs <= shownMs + environment.settings.lagMs) continue
    // An order that was pushed before it could be fetched is retried with growing delays.
    const firstMs = ledger.firstPushed.get(id) ?? Number.POSITIVE_INFINITY
    const pushedMs = firstMs < shownMs ? Number.POSITIVE_INFINITY : firstMs
    if (
      environment.settings.lagMs === 0 &&
      recordedMs > pushedMs + cleanReactionMs &&
      isQuiet(pushedMs, pushedMs + cleanReactionMs, platform)
    ) {
      violations.push(`${id} was recorded ${Math.round(recordedMs - pushedMs)} ms after its push was stored`)
    }
    const interval = ledger.syncs[platform]!.intervalSeconds * 1_000
    const isLate = shownMs > versions[0]!.atMs
    const withinMs =
      interval + environment.settings.lagMs + cleanReactionMs + (isLate ? overlapEverySeconds * 1_000 : interval)
    if (recordedMs > shownMs + withinMs && isQuiet(shownMs, shownMs + withinMs, platform)) {
      violations.push(`${id} was not found by the readings of its shop`)
    }
  }
}

/** Checks that no double purchase could have been prevented, and that the seller is alerted to each. */
function checkDoubles(environment: Environment, ledger: Ledger, violations: string[]): number {
  let count = 0
  for (const second of environment.orders.values()) {
    for (const version of second.versions) {
      if (version.status === 'cancelled' || version.atMs !== second.versions[0]!.atMs) continue
      for (const first of environment.orders.values()) {
        if (first === second || first.item !== second.item) continue
        const before = statusAt(first, version.atMs)
        if (before === null || before === 'cancelled') continue
        count++
        checkDoublePurchase(environment, ledger, first, second, version.atMs, violations)
      }
    }
  }
  return count
}

function checkDoublePurchase(
  environment: Environment,
  ledger: Ledger,
  first: TrueOrder,
  second: TrueOrder,
  atMs: number,
  violations: string[],
): void {
  // The time when a platform first showed us the first purchase, since its last cancellation.
  const earlier = first.versions.filter((version) => version.atMs <= atMs)
  const since = earlier.findLastIndex(({ status }) => status === 'cancelled') + 1
  const readMs = Math.min(...earlier.slice(since).map((version) => version.readMs ?? Number.POSITIVE_INFINITY))
  // Work that was lost with its worker is found by the next reading of its shop.
  const rereadMs = ledger.syncs[first.platform]!.intervalSeconds * 1_000
  if (
    readMs < atMs &&
    couldHaveReacted(environment.faults, readMs, atMs, [first.platform, second.platform], rereadMs)
  ) {
    violations.push(
      `${second.id} on P${second.platform} was bought ${Math.round(atMs - readMs)} ms after we could know of ${first.id} on P${first.platform}`,
    )
  }
  const [one, other] = [ledger.lines.get(first.id), ledger.lines.get(second.id)]
  if (one?.status !== 'paid' || other?.status !== 'paid') return
  const isFlagged = ledger.alerts.some(
    ({ kind, key }) => kind === 'oversell' && (key === first.id || key === second.id),
  )
  if (!isFlagged) violations.push(`${first.id} and ${second.id} both bought ${first.item} without an alert`)
}

/**
 * Returns true if there was enough time to react without faults of these platforms or our machines. After a fault,
 * known orders may have to be read again, which takes `rereadMs` more.
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
