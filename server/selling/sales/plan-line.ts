import type { Availability } from '#shared/item/inventory-record.ts'
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

/** A line that claims the item. */
export interface Claim {
  key: string
  state: Extract<LineState, 'held' | 'sold' | 'oversell'>
  status: 'pending' | 'paid'
  /** Recorded at (ISO). Equal times are ordered by key. */
  recorded_at: string
}

interface LineFacts {
  /** Identifies the line among the claims. */
  key: string
  now: LineNow
  before: LineBefore | null
  item: { state: Availability; soldByListing?: boolean } | null
  claims: readonly Claim[]
}

/** Every change that one report of a line causes. All of it is applied, or nothing. */
export interface LinePlan {
  decision: SaleDecision
  /** Lines whose state changes, possibly including this one. */
  lines: { key: string; state: LineState }[]
  /** States that the item moves through, in order. */
  moves: Availability[]
  /** The line whose live sale ends, then the line whose live sale begins. */
  saleEnds: string | null
  saleBegins: string | null
  alerts: { key: string; kind: SaleAlert | 'relist_offer'; excessUnits: number }[]
  /** Lines that are no longer oversold. */
  settles: string[]
  /** Take down all other listings of the item. */
  delistsOthers: boolean
  /** Nobody has the item any more, and it is available again. */
  frees: boolean
}

/** Plans the writes for a report of an order line. */
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
  // The item is gone from the inventory, but its sale ends all the same.
  if (decision.outcome === 'cancelled' && !item && holder?.key === key && holder.state === 'sold') plan.saleEnds = key
  if (decision.outcome === 'freed' && item) reassign(plan, key, item, holder, claims)
  return plan
}

/** Hands a freed item to the next claimant, or offers it again unless its seller has withdrawn it. */
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
    // A withdrawn item stays down.
    if ((plan.moves.at(-1) ?? item.state) !== 'available') return
    plan.frees = true
    plan.alerts.push({ key, kind: 'relist_offer', excessUnits: 0 })
    return
  }
  const state = nextClaimant.status === 'paid' ? 'sold' : 'held'
  plan.lines.push({ key: nextClaimant.key, state })
  plan.settles.push(nextClaimant.key)
  if (state === 'sold') plan.saleBegins = nextClaimant.key
  // The seller may have moved a held item, so the path starts at its current state.
  plan.moves = pathBetween(item.state, state === 'sold' ? 'sold' : 'reserved')
  plan.delistsOthers = true
}
