import type { Refunded } from '#server/integrations/port.ts'
import type { Availability } from '#shared/item/inventory-record.ts'

/** An order line as its platform reports it now. A cancelled line of a paid order is cancelled. */
export type LineStatus = 'pending' | 'paid' | 'cancelled'

export interface LineNow {
  status: LineStatus
  quantity: number
  /** The buyer of a paid line got all money back, or perhaps did. Only the seller knows where the item is. */
  refunded?: Refunded | undefined
  /** Last change of its order, by the platform's clock (ISO). */
  modified_at: string
}

/**
 * Our view of a line: `held` is a buyer who has not paid, `sold` has the item, `oversell` lost it to another line,
 * `unmatched` names no item of ours. The API does not show held lines.
 */
export type LineState = 'held' | 'sold' | 'oversell' | 'cancelled' | 'unmatched'

/** The line as we recorded it before. */
export interface LineBefore {
  state: LineState
  status: LineStatus
  modified_at: string
}

/** The item of the line, and the line that has it, if any. */
interface ItemNow {
  state: Availability
  holder: { line: 'this' | 'other'; state: 'held' | 'sold' } | null
  /** No line has the item, and this listing was seen as sold before its order was read: this line is that sale. */
  soldByListing?: boolean
}

/** Reasons to alert the seller. */
export type SaleAlert = 'oversell' | 'excess_quantity' | 'sold_while_withdrawn' | 'sale_refunded'

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
  /** State of the line from now on. */
  line: LineState
  /** States that the item moves through, in order. Empty: it does not move. */
  moves: Availability[]
  /** Another line holds the item unpaid and loses it to this paid one. */
  displaces: boolean
  /** Units sold beyond the one that exists. */
  excessUnits: number
  alerts: SaleAlert[]
}

/**
 * Decides the effect of an order line on its item. The first line recorded gets the item. A paid line
 * takes it from an unpaid one. Every further line is an oversell and is never dropped. A repeated or older report
 * changes nothing, because reports come twice, late and in any order. `item` null: the line names no item of ours.
 */
export function decideSale(now: LineNow, before: LineBefore | null, item: ItemNow | null): SaleDecision {
  if (before && isOlder(now, before)) return nothing('out_of_date', before.state)
  if (now.status === 'cancelled') return decideCancelled(before, item)
  if (now.refunded && before?.state === 'cancelled') return nothing('already_known', 'cancelled')
  if (!item) return before && before.state !== 'cancelled' ? nothing('already_known', before.state) : unmatched
  if (now.refunded === 'before_shipping') return decideRefunded(now, before, item)
  const decision =
    before && isSettled(now, before, item) ? nothing('already_known', before.state) : decideClaim(now, item)
  const asks = now.refunded === 'maybe_before_shipping' && decision.line === 'sold'
  return asks ? { ...decision, alerts: [...decision.alerts, 'sale_refunded'] } : decision
}

/**
 * Decides for a buyer whose money went back before anything was shipped. The item stays sold until the seller says where
 * it is. A buyer who did not get it wants it no more.
 */
function decideRefunded(now: LineNow, before: LineBefore | null, item: ItemNow): SaleDecision {
  const asks = { excessUnits: 0, alerts: ['sale_refunded' as const] }
  if (before?.state === 'sold') return { ...nothing('already_known', 'sold'), ...asks }
  const claim = before?.state === 'oversell' ? null : decideClaim(now, item)
  return claim?.outcome === 'sold' ? { ...claim, ...asks } : nothing('cancelled', 'cancelled')
}

/** Decides for a buyer who claims the item. */
function decideClaim(now: LineNow, item: ItemNow): SaleDecision {
  const wanted = now.status === 'paid' ? 'sold' : 'held'
  const { holder } = item
  const taken = holder?.line === 'other' && !(holder.state === 'held' && wanted === 'sold')
  // Sold without a line: it was imported as sold, so somebody bought it before.
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
    // If the seller has moved a held item meanwhile, it stays where they put it.
    moves: item?.state === leaves ? ['available'] : [],
  }
}

/** A line that is waiting as an oversell. */
interface WaitingLine {
  status: 'pending' | 'paid'
  /** Recorded at (ISO). */
  recorded_at: string
}

/**
 * Chooses the line that gets a freed item: the first recorded paid oversell, else the first unpaid one. Its buyer is
 * still waiting, so the item must not be offered again. Returns -1 when nobody waits.
 */
export function chooseNextClaimant(waiting: readonly WaitingLine[]): number {
  const rank = ({ status, recorded_at }: WaitingLine) => `${status === 'paid' ? 0 : 1}${recorded_at}`
  return waiting.reduce((best, line, index) => (best < 0 || rank(line) < rank(waiting[best]!) ? index : best), -1)
}

/** Returns the moves that lead from one state to another, without the first state. */
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

/** Order of reports with the same time: a cancellation outranks a payment, a payment an unpaid order. */
const rank = { pending: 0, paid: 1, cancelled: 2 } as const

function isOlder(now: LineNow, before: LineBefore): boolean {
  const difference = Date.parse(now.modified_at) - Date.parse(before.modified_at)
  return difference < 0 || (difference === 0 && rank[now.status] < rank[before.status])
}

/** Returns whether the report adds nothing to a line that claims the item already. */
function isSettled(now: LineNow, before: LineBefore, item: ItemNow): boolean {
  if (before.state === 'sold') return true
  if (before.state === 'held') return now.status === 'pending'
  if (before.state !== 'oversell') return false
  // An oversell changes only if it is paid while the holder is not, or if the item is free.
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
