import type { Availability } from '#shared/inventory-record.ts'
import {
  chooseNextClaimant,
  decideSale,
  type LineBefore,
  type LineNow,
  type LineState,
  pathBetween,
  type SaleAlert,
  type SaleDecision,
} from './decide-sale.ts'

/** A line of the item that claims it: held, sold or oversell. */
export interface Claim {
  key: string
  state: Extract<LineState, 'held' | 'sold' | 'oversell'>
  status: 'pending' | 'paid'
  /** When we recorded it (ISO); equal times are ordered by key. */
  recorded_at: string
}

export interface LineFacts {
  /** Names the line among the claims. */
  key: string
  now: LineNow
  before: LineBefore | null
  item: { state: Availability; soldByListing?: boolean } | null
  claims: readonly Claim[]
}

/** Everything that one observation of one line changes. Whoever carries it out does all of it or nothing. */
export interface LinePlan {
  decision: SaleDecision
  /** The lines whose state changes, this one among them. */
  lines: { key: string; state: LineState }[]
  /** States that the item moves through, in order. */
  moves: Availability[]
  /** The line whose live sale ends, and the line that a live sale begins for; in this order. */
  saleEnds: string | null
  saleBegins: string | null
  alerts: { key: string; kind: SaleAlert | 'relist_offer'; excessUnits: number }[]
  /** Lines whose oversell is over. */
  settles: string[]
  /** All other listings of the item come down. */
  delistsOthers: boolean
  /** Nobody has the item any more, and it is on offer again. */
  frees: boolean
}

/** The writes for an observation of an order line (decisions 8). */
export function planLine({ key, now, before, item, claims }: LineFacts): LinePlan {
  const holder = claims.find((claim) => claim.state !== 'oversell')
  const decision = decideSale(
    now,
    before,
    item && {
      ...item,
      holder: holder ? { line: holder.key === key ? 'this' : 'other', state: holder.state as 'held' | 'sold' } : null,
    },
  )
  const plan: LinePlan = {
    decision,
    lines: decision.line === before?.state ? [] : [{ key, state: decision.line }],
    moves: decision.moves,
    saleEnds: null,
    saleBegins: decision.outcome === 'sold' ? key : null,
    alerts: decision.alerts.map((kind) => ({ key, kind, excessUnits: decision.excessUnits })),
    settles: before?.state === 'oversell' && decision.line !== 'oversell' ? [key] : [],
    delistsOthers: decision.outcome === 'sold' || decision.outcome === 'held' || decision.outcome === 'oversell',
    frees: false,
  }
  if (decision.displaces && holder) {
    plan.lines.push({ key: holder.key, state: 'oversell' })
    plan.alerts.push({ key: holder.key, kind: 'oversell', excessUnits: 1 })
  }
  // The item itself is gone from the inventory; its sale ends all the same.
  if (decision.outcome === 'cancelled' && !item && holder?.key === key && holder.state === 'sold') plan.saleEnds = key
  if (decision.outcome === 'freed' && item) reassign(plan, key, item, holder, claims)
  return plan
}

/** A freed item goes to the buyer who waits for it, else it is offered again, unless its seller has withdrawn it. */
function reassign(
  plan: LinePlan,
  key: string,
  item: { state: Availability },
  holder: Claim | undefined,
  claims: readonly Claim[],
): void {
  if (holder?.state === 'sold') plan.saleEnds = key
  const waiting = claims
    .filter((claim) => claim.state === 'oversell')
    .sort((one, other) => (one.recorded_at + one.key < other.recorded_at + other.key ? -1 : 1))
  const nextClaimant = waiting[chooseNextClaimant(waiting)]
  if (!nextClaimant) {
    // What the seller has withdrawn meanwhile stays down.
    if ((plan.moves.at(-1) ?? item.state) !== 'available') return
    plan.frees = true
    plan.alerts.push({ key, kind: 'relist_offer', excessUnits: 0 })
    return
  }
  const state = nextClaimant.status === 'paid' ? 'sold' : 'held'
  plan.lines.push({ key: nextClaimant.key, state })
  plan.settles.push(nextClaimant.key)
  if (state === 'sold') plan.saleBegins = nextClaimant.key
  // A held item that the seller has moved by hand is no longer where the cancelled order had put it.
  plan.moves = pathBetween(item.state, state === 'sold' ? 'sold' : 'reserved')
  plan.delistsOthers = true
}
