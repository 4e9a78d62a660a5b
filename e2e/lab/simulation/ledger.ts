import type { LineBefore, LineNow, LineState } from '#server/selling/sales/decide-sale.ts'
import { type Claim, type LinePlan, planLine } from '#server/selling/sales/plan-line.ts'
import type { Availability } from '#shared/item/inventory-record.ts'

/** Rules that can be broken on purpose, to show that the oracle detects it. */
export const mutants = [
  'forgets-to-delist',
  'delists-late',
  'drops-second-sales',
  'frees-without-next-claimant',
  'no-overlap',
  'trusts-push-order',
  'confirms-without-reading',
] as const
export type Mutant = (typeof mutants)[number]

interface LedgerLine extends LineBefore {
  key: string
  item: string
  platform: number
  listing: string
  recorded_at: string
  recordedMs: number
}

export interface DelistOperation {
  id: number
  item: string
  platform: number
  listing: string
  state: 'open' | 'done'
  seenMs: number
  nextMs: number
  leaseMs: number
  epoch: number
  failures: number
  acceptedMs: number | null
  isAlerted: boolean
}

export interface FetchRequest {
  order: string
  platform: number
  receivedMs: number
  attempts: number
  nextMs: number
  handled: boolean
  isUnknown: boolean
}

export interface ShopSync {
  platform: number
  nextMs: number
  leaseMs: number
  epoch: number
  readUntilMs: number | null
  fullMs: number | null
  failures: number
  intervalSeconds: number
}

/**
 * The database in memory. Each method is one atomic transaction. The decisions are the product's own (planLine); only
 * applying them is done here instead of in SQL.
 */
export class Ledger {
  readonly items = new Map<string, Availability>()
  readonly moves: { item: string; from: Availability; to: Availability }[] = []
  readonly lines = new Map<string, LedgerLine>()
  readonly liveSales = new Map<string, string[]>()
  /** Listings as the database knows them. */
  readonly channel = new Map<
    string,
    { item: string; platform: number; state: 'available' | 'reserved' | 'sold' | 'removed' }
  >()
  readonly operations: DelistOperation[] = []
  readonly fetchRequests = new Map<string, FetchRequest>()
  /** Time when the first push of an order was stored. */
  readonly firstPushed = new Map<string, number>()
  readonly syncs: ShopSync[] = []
  readonly alerts: { kind: string; key: string; item: string; isOpen: boolean }[] = []
  readonly mutant: Mutant | null
  /** Faults found in transactions. */
  readonly faults: string[] = []

  constructor(mutant: Mutant | null = null) {
    this.mutant = mutant
  }

  /** Stores the fetch request of a push, before the push is acknowledged. */
  storeFetchRequest(platform: number, order: string, nowMs: number): void {
    if (!this.firstPushed.has(order)) this.firstPushed.set(order, nowMs)
    const known = this.fetchRequests.get(order)
    if (known) Object.assign(known, { receivedMs: nowMs, attempts: 0, nextMs: nowMs, handled: false, isUnknown: false })
    else {
      this.fetchRequests.set(order, {
        ...{ order, platform, receivedMs: nowMs, attempts: 0, nextMs: nowMs },
        handled: false,
        isUnknown: false,
      })
    }
  }

  /** Records a reported order. Returns true if it changed anything. */
  record(
    reported: { key: string; platform: number; listing: string; now: LineNow },
    nowMs: number,
    seenMs: number,
  ): boolean {
    const { key } = reported
    const item = this.channel.get(reported.listing)!.item
    const before = this.mutant === 'trusts-push-order' ? this.withoutTime(key) : (this.lines.get(key) ?? null)
    const plan = planLine({
      key,
      now: reported.now,
      before,
      item: { state: this.items.get(item)! },
      claims: this.claimsOn(item),
    })
    if (plan.decision.outcome === 'out_of_date') return false
    if (this.mutant === 'drops-second-sales' && plan.decision.outcome === 'oversell') return false
    this.applyPlan(plan, { ...reported, item }, nowMs, seenMs)
    return plan.lines.length > 0
  }

  private applyPlan(
    plan: LinePlan,
    reported: { key: string; item: string; platform: number; listing: string; now: LineNow },
    nowMs: number,
    seenMs: number,
  ): void {
    const { item, key } = reported
    const kept = this.lines.get(key)
    this.lines.set(key, {
      ...{ key, item, platform: reported.platform, listing: reported.listing },
      ...{ state: plan.decision.line, status: reported.now.status, modified_at: reported.now.modified_at },
      recorded_at: kept?.recorded_at ?? String(nowMs).padStart(12, '0'),
      recordedMs: kept?.recordedMs ?? nowMs,
    })
    const skipsNextClaimant = this.mutant === 'frees-without-next-claimant' && plan.decision.outcome === 'freed'
    for (const line of plan.lines) {
      if (!skipsNextClaimant || line.key === key) this.lines.get(line.key)!.state = line.state
    }
    const live = (this.liveSales.get(item) ?? []).filter((sale) => sale !== plan.saleEnds)
    if (plan.saleBegins && !(skipsNextClaimant && plan.saleBegins !== key)) live.push(plan.saleBegins)
    this.liveSales.set(item, live)
    for (const to of skipsNextClaimant ? (['available'] as const) : plan.moves) {
      this.moves.push({ item, from: this.items.get(item)!, to })
      this.items.set(item, to)
    }
    for (const settled of plan.settles) {
      for (const alert of this.alerts) if (alert.key === settled && alert.kind === 'oversell') alert.isOpen = false
    }
    for (const alert of plan.alerts) this.alerts.push({ kind: alert.kind, key: alert.key, item, isOpen: true })
    const outcome: LineState = plan.decision.line
    if (outcome === 'sold' || outcome === 'held' || outcome === 'oversell') {
      const listing = this.channel.get(reported.listing)!
      if (listing.state === 'available' || listing.state === 'reserved') {
        listing.state = reported.now.status === 'paid' ? 'sold' : 'reserved'
      }
    }
    if (plan.delistsOthers && this.mutant !== 'forgets-to-delist')
      this.delistOthers(item, reported.listing, nowMs, seenMs)
  }

  private delistOthers(item: string, except: string, nowMs: number, seenMs: number): void {
    for (const [listing, row] of this.channel) {
      if (row.item !== item || listing === except || (row.state !== 'available' && row.state !== 'reserved')) continue
      if (this.operations.some((operation) => operation.listing === listing && operation.state === 'open')) continue
      this.operations.push({
        ...{ id: this.operations.length, item, platform: row.platform, listing, state: 'open', seenMs },
        nextMs: nowMs + (this.mutant === 'delists-late' ? 90_000 : 0),
        ...{ leaseMs: 0, epoch: 0, failures: 0, acceptedMs: null, isAlerted: false },
      })
    }
  }

  private claimsOn(item: string): Claim[] {
    const claims: Claim[] = []
    for (const line of this.lines.values()) {
      if (line.item !== item || line.state === 'cancelled' || line.state === 'unmatched') continue
      const { key, state, status, recorded_at } = line
      claims.push({ key, state, status: status as Claim['status'], recorded_at })
    }
    return claims
  }

  private withoutTime(key: string): LineBefore | null {
    const line = this.lines.get(key)
    return line ? { ...line, modified_at: '1970-01-01T00:00:00.000Z', status: 'pending' } : null
  }
}
