import type { LineBefore, LineNow, LineState } from '#server/selling/sales/decide-sale.ts'
import { type Claim, type LinePlan, planLine } from '#server/selling/sales/plan-line.ts'
import type { Availability } from '#shared/inventory-record.ts'

/** Rules that can be broken on purpose, so that the oracle can show that it sees it. */
export const mutants = [
  'forgets-to-take-down',
  'dawdles',
  'drops-second-sales',
  'frees-without-heir',
  'no-overlap',
  'trusts-order-of-notices',
  'says-done-unread',
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

export interface DelistIntent {
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
  isAlarmed: boolean
}

export interface Hint {
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
 * The database's content in memory: each method is one atomic transaction. The decisions are the product's own
 * (planLine); only writing them is done here instead of in SQL.
 */
export class Ledger {
  readonly items = new Map<string, Availability>()
  readonly moves: { item: string; from: Availability; to: Availability }[] = []
  readonly lines = new Map<string, LedgerLine>()
  readonly liveSales = new Map<string, string[]>()
  /** Listings as we believe them to be. */
  readonly channel = new Map<
    string,
    { item: string; platform: number; state: 'available' | 'reserved' | 'sold' | 'removed' }
  >()
  readonly intents: DelistIntent[] = []
  readonly hints = new Map<string, Hint>()
  /** When the first push of an order was kept. */
  readonly firstTold = new Map<string, number>()
  readonly syncs: ShopSync[] = []
  readonly alarms: { kind: string; key: string; item: string; isOpen: boolean }[] = []
  readonly mutant: Mutant | null
  /** Faults found while writing. */
  readonly faults: string[] = []

  constructor(mutant: Mutant | null = null) {
    this.mutant = mutant
  }

  /** Keeps a push before it is acknowledged. */
  keepHint(platform: number, order: string, nowMs: number): void {
    if (!this.firstTold.has(order)) this.firstTold.set(order, nowMs)
    const known = this.hints.get(order)
    if (known) Object.assign(known, { receivedMs: nowMs, attempts: 0, nextMs: nowMs, handled: false, isUnknown: false })
    else {
      this.hints.set(order, {
        ...{ order, platform, receivedMs: nowMs, attempts: 0, nextMs: nowMs },
        handled: false,
        isUnknown: false,
      })
    }
  }

  /** Records what an order is said to be. Answers whether it changed anything. */
  record(
    told: { key: string; platform: number; listing: string; now: LineNow },
    nowMs: number,
    seenMs: number,
  ): boolean {
    const { key } = told
    const item = this.channel.get(told.listing)!.item
    const before = this.mutant === 'trusts-order-of-notices' ? this.withoutTime(key) : (this.lines.get(key) ?? null)
    const plan = planLine({
      key,
      now: told.now,
      before,
      item: { state: this.items.get(item)! },
      claims: this.claimsOn(item),
    })
    if (plan.decision.outcome === 'out_of_date') return false
    if (this.mutant === 'drops-second-sales' && plan.decision.outcome === 'oversell') return false
    this.applyPlan(plan, { ...told, item }, nowMs, seenMs)
    return plan.lines.length > 0
  }

  private applyPlan(
    plan: LinePlan,
    told: { key: string; item: string; platform: number; listing: string; now: LineNow },
    nowMs: number,
    seenMs: number,
  ): void {
    const { item, key } = told
    const kept = this.lines.get(key)
    this.lines.set(key, {
      ...{ key, item, platform: told.platform, listing: told.listing },
      ...{ state: plan.decision.line, status: told.now.status, modified_at: told.now.modified_at },
      recorded_at: kept?.recorded_at ?? String(nowMs).padStart(12, '0'),
      recordedMs: kept?.recordedMs ?? nowMs,
    })
    const heirless = this.mutant === 'frees-without-heir' && plan.decision.outcome === 'freed'
    for (const line of plan.lines) {
      if (!heirless || line.key === key) this.lines.get(line.key)!.state = line.state
    }
    const live = (this.liveSales.get(item) ?? []).filter((sale) => sale !== plan.saleEnds)
    if (plan.saleBegins && !(heirless && plan.saleBegins !== key)) live.push(plan.saleBegins)
    this.liveSales.set(item, live)
    for (const to of heirless ? (['available'] as const) : plan.moves) {
      this.moves.push({ item, from: this.items.get(item)!, to })
      this.items.set(item, to)
    }
    for (const settled of plan.settles) {
      for (const alarm of this.alarms) if (alarm.key === settled && alarm.kind === 'oversell') alarm.isOpen = false
    }
    for (const alarm of plan.alerts) this.alarms.push({ kind: alarm.kind, key: alarm.key, item, isOpen: true })
    const outcome: LineState = plan.decision.line
    if (outcome === 'sold' || outcome === 'held' || outcome === 'oversell') {
      const listing = this.channel.get(told.listing)!
      if (listing.state === 'available' || listing.state === 'reserved') {
        listing.state = told.now.status === 'paid' ? 'sold' : 'reserved'
      }
    }
    if (plan.delistsOthers && this.mutant !== 'forgets-to-take-down') this.takeDown(item, told.listing, nowMs, seenMs)
  }

  private takeDown(item: string, except: string, nowMs: number, seenMs: number): void {
    for (const [listing, row] of this.channel) {
      if (row.item !== item || listing === except || (row.state !== 'available' && row.state !== 'reserved')) continue
      if (this.intents.some((intent) => intent.listing === listing && intent.state === 'open')) continue
      this.intents.push({
        ...{ id: this.intents.length, item, platform: row.platform, listing, state: 'open', seenMs },
        nextMs: nowMs + (this.mutant === 'dawdles' ? 90_000 : 0),
        ...{ leaseMs: 0, epoch: 0, failures: 0, acceptedMs: null, isAlarmed: false },
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
