import type { Availability } from '#shared/inventory-record.ts'

/** An order line as its platform tells it now; a cancelled line of a paid order is cancelled. */
export type LineStatus = 'pending' | 'paid' | 'cancelled'

export interface LineNow {
  status: LineStatus
  quantity: number
  /** When its order changed last, by the platform's clock (ISO). */
  modified_at: string
}

/**
 * What a line is to us: `held` a buyer has committed and not paid, `sold` it has the item, `oversell` another line has
 * it, `unmatched` no item of ours. On the wire held lines do not show.
 */
export type LineState = 'held' | 'sold' | 'oversell' | 'cancelled' | 'unmatched'

/** The line as we recorded it before. */
export interface LineBefore {
  state: LineState
  status: LineStatus
  modified_at: string
}

/** The item that the line is about, and the line that has it, if any. */
export interface ItemNow {
  state: Availability
  holder: { line: 'this' | 'other'; state: 'held' | 'sold' } | null
  /** Nobody has it, and this very listing was seen as sold before its order was: the line tells who bought it. */
  soldByListing?: boolean
}

/** What a person should look at because of a line. */
export type SaleAlert = 'oversell' | 'excess_quantity' | 'sold_while_withdrawn'

export type SaleOutcome =
  | 'sold'
  | 'held'
  | 'oversell'
  | 'cancelled'
  | 'freed'
  | 'unmatched'
  | 'already_known'
  | 'out_of_date'

export interface SaleDecision {
  outcome: SaleOutcome
  /** What the line is from now on. */
  line: LineState
  /** The states that the item moves through, in order; empty when it is not touched. */
  moves: Availability[]
  /** Another line holds the item unpaid and loses it to this one, which is paid. */
  displaces: boolean
  /** Units that a buyer has bought and that do not exist. */
  excessUnits: number
  alerts: SaleAlert[]
}

/**
 * Decides the effect of an order line on its item (decisions 8). The first line that
 * is recorded has the item; a paid one takes it from one that is only promised; every further one is an oversell,
 * never dropped. What was seen before, or is older than what is known, changes nothing: notices come twice, late and in
 * any order. `item` null: the line names no item of ours.
 */
export function decideSale(now: LineNow, before: LineBefore | null, item: ItemNow | null): SaleDecision {
  if (before && isOlder(now, before)) return nothing('out_of_date', before.state)
  if (now.status === 'cancelled') return decideCancelled(before, item)
  if (!item) return before && before.state !== 'cancelled' ? nothing('already_known', before.state) : unmatched
  if (before && isSettled(now, before, item)) return nothing('already_known', before.state)
  return decideClaim(now, item)
}

/** A buyer claims the item. */
function decideClaim(now: LineNow, item: ItemNow): SaleDecision {
  const wanted = now.status === 'paid' ? 'sold' : 'held'
  const { holder } = item
  const taken = holder?.line === 'other' && !(holder.state === 'held' && wanted === 'sold')
  // Sold without a line that has it: imported as sold, so somebody has bought it before.
  const gone = item.state === 'sold' && holder?.line !== 'this' && !item.soldByListing
  if (taken || gone) {
    return {
      ...nothing('oversell', 'oversell'),
      excessUnits: Math.max(1, now.quantity),
      alerts: ['oversell'],
    }
  }
  const excessUnits = Math.max(0, now.quantity - 1)
  return {
    outcome: wanted,
    line: wanted,
    moves: item.state === 'sold' ? [] : pathBetween(item.state, wanted === 'sold' ? 'sold' : 'reserved'),
    displaces: holder?.line === 'other',
    excessUnits,
    alerts: [
      ...(excessUnits > 0 ? (['excess_quantity'] as const) : []),
      ...(item.state === 'withdrawn' ? (['sold_while_withdrawn'] as const) : []),
    ],
  }
}

function decideCancelled(before: LineBefore | null, item: ItemNow | null): SaleDecision {
  if (before?.state === 'cancelled') return nothing('already_known', 'cancelled')
  const had = item?.holder?.line === 'this' ? item.holder.state : null
  if (!had) return nothing('cancelled', 'cancelled')
  const leaves = had === 'sold' ? 'sold' : 'reserved'
  return {
    ...nothing('freed', 'cancelled'),
    // A held item that the seller has moved meanwhile stays where they put it.
    moves: item?.state === leaves ? ['available'] : [],
  }
}

/** A line that waits as an oversell. */
export interface WaitingLine {
  status: 'pending' | 'paid'
  /** When we recorded it. */
  recorded_at: string
}

/**
 * Who gets an item that a cancelled order has freed: of the lines that came too late, the paid one that was recorded
 * first, else the first unpaid one. Its buyer still waits, so the item must not be offered again.
 * -1 when nobody waits.
 */
export function chooseNextClaimant(waiting: readonly WaitingLine[]): number {
  const rank = ({ status, recorded_at }: WaitingLine) => `${status === 'paid' ? 0 : 1}${recorded_at}`
  return waiting.reduce((best, line, index) => (best < 0 || rank(line) < rank(waiting[best]!) ? index : best), -1)
}

/** The moves of decisions 7 that lead from one state to another, without the first. */
export function pathBetween(from: Availability, to: Availability): Availability[] {
  if (from === to) return []
  const direct: Record<Availability, Availability[]> = {
    available: ['reserved', 'sold', 'withdrawn'],
    reserved: ['available', 'sold'],
    withdrawn: ['available'],
    sold: ['available'],
  }
  return direct[from].includes(to) ? [to] : ['available', to]
}

/** Notices that tell of one moment: a cancellation counts more than a payment, a payment more than a promise. */
const rank = { pending: 0, paid: 1, cancelled: 2 } as const

function isOlder(now: LineNow, before: LineBefore): boolean {
  const difference = Date.parse(now.modified_at) - Date.parse(before.modified_at)
  return difference < 0 || (difference === 0 && rank[now.status] < rank[before.status])
}

/** Nothing new for a line that claims the item already. */
function isSettled(now: LineNow, before: LineBefore, item: ItemNow): boolean {
  if (before.state === 'sold') return true
  if (before.state === 'held') return now.status === 'pending'
  if (before.state !== 'oversell') return false
  // An oversell becomes more only when it was paid and the item is merely promised to another, or when it is free.
  if (item.holder === null) return item.state === 'sold' && !item.soldByListing
  return !(now.status === 'paid' && item.holder.state === 'held')
}

const nothing = (outcome: SaleOutcome, line: LineState): SaleDecision => ({
  outcome,
  line,
  moves: [],
  displaces: false,
  excessUnits: 0,
  alerts: [],
})

const unmatched = nothing('unmatched', 'unmatched')
