import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Availability } from '#shared/item/inventory-record.ts'
import type { LineBefore, LineNow, LineState } from './decide-sale.ts'
import { type Claim, planLine } from './plan-line.ts'

/** An item and its lines in memory, with each plan applied. */
class OneItem {
  state: Availability | null
  lines = new Map<string, LineBefore & { recorded_at: string }>()
  liveSale: string | null = null
  sales = 0
  alerts: string[] = []
  moves: [Availability, Availability][] = []
  private clock = 0

  constructor(state: Availability | null = 'available') {
    this.state = state
  }

  see(key: string, now: LineNow) {
    const before = this.lines.get(key) ?? null
    const plan = planLine({ key, now, before, item: this.state && { state: this.state }, claims: this.claims() })
    if (plan.decision.outcome !== 'out_of_date') {
      this.lines.set(key, {
        state: plan.decision.line,
        status: now.status,
        modified_at: now.modified_at,
        recorded_at: before?.recorded_at ?? String(this.clock++).padStart(6, '0'),
      })
    }
    for (const line of plan.lines) this.lines.get(line.key)!.state = line.state
    for (const to of plan.moves) {
      this.moves.push([this.state!, to])
      this.state = to
    }
    if (plan.saleEnds) {
      expect(this.liveSale).toBe(plan.saleEnds)
      this.liveSale = null
    }
    if (plan.saleBegins) {
      expect(this.liveSale).toBeNull()
      this.liveSale = plan.saleBegins
      this.sales++
    }
    for (const settled of plan.settles) this.alerts = this.alerts.filter((alert) => alert !== `oversell ${settled}`)
    this.alerts.push(...plan.alerts.map(({ kind, key: of }) => `${kind} ${of}`))
    return plan
  }

  claims(): Claim[] {
    return [...this.lines]
      .filter(([, line]) => line.state !== 'cancelled' && line.state !== 'unmatched')
      .map(([key, { state, status, recorded_at }]) => ({
        key,
        state: state as Claim['state'],
        status: status as Claim['status'],
        recorded_at,
      }))
  }

  of(key: string): LineState | undefined {
    return this.lines.get(key)?.state
  }
}

const at = (minute: number) => new Date(Date.UTC(2026, 0, 5, 10, minute)).toISOString()
const now = (status: LineNow['status'], minute: number, quantity = 1): LineNow => ({
  status,
  quantity,
  modified_at: at(minute),
})

const legal = new Set(
  ['available reserved', 'reserved available', 'available withdrawn', 'withdrawn available', 'available sold'].concat(
    'reserved sold',
    'sold available',
  ),
)

describe('planning an order line', () => {
  it('sells to the first paid line and delists everywhere else', () => {
    const item = new OneItem()
    const plan = item.see('ebay/1', now('paid', 0))
    expect(plan).toMatchObject({ decision: { outcome: 'sold' }, delistsOthers: true, saleBegins: 'ebay/1', alerts: [] })
    expect(item.state).toBe('sold')
  })

  it('changes nothing for a repeated or older report', () => {
    const item = new OneItem()
    item.see('ebay/1', now('paid', 5))
    expect(item.see('ebay/1', now('paid', 5)).decision.outcome).toBe('already_known')
    expect(item.see('ebay/1', now('pending', 4)).decision.outcome).toBe('out_of_date')
    expect(item.see('ebay/1', now('paid', 6)).decision.outcome).toBe('already_known')
    expect([item.sales, item.moves.length]).toEqual([1, 1])
  })

  it("makes a second platform's sale an oversell with an alert", () => {
    const item = new OneItem()
    item.see('ebay/1', now('paid', 0))
    expect(item.see('etsy/1', now('paid', 1))).toMatchObject({
      decision: { outcome: 'oversell', excessUnits: 1 },
      moves: [],
      alerts: [{ kind: 'oversell', key: 'etsy/1' }],
    })
    expect(item.liveSale).toBe('ebay/1')
  })

  it('sells nothing for a line that was cancelled at once', () => {
    const item = new OneItem()
    expect(item.see('ebay/1', now('cancelled', 3)).decision.outcome).toBe('cancelled')
    // The late report of the payment comes after it.
    expect(item.see('ebay/1', now('paid', 1)).decision.outcome).toBe('out_of_date')
    expect(item.state).toBe('available')
  })

  it('frees the item of a cancelled sale and offers to relist it', () => {
    const item = new OneItem()
    item.see('ebay/1', now('paid', 0))
    expect(item.see('ebay/1', now('cancelled', 9))).toMatchObject({
      decision: { outcome: 'freed' },
      frees: true,
      saleEnds: 'ebay/1',
      alerts: [{ kind: 'relist_offer' }],
    })
    expect([item.state, item.liveSale]).toEqual(['available', null])
  })

  it('sells once when a cancelled order is paid again', () => {
    const again = new OneItem()
    again.see('ebay/1', now('paid', 0))
    again.see('ebay/1', now('cancelled', 1))
    expect(again.see('ebay/1', now('paid', 2)).decision.outcome).toBe('sold')
    expect([again.state, again.sales]).toEqual(['sold', 2])

    const between = new OneItem()
    between.see('ebay/1', now('paid', 0))
    between.see('ebay/1', now('cancelled', 1))
    between.see('etsy/1', now('paid', 2))
    expect(between.see('ebay/1', now('paid', 3)).decision.outcome).toBe('oversell')
  })

  it('hands a freed item to the waiting buyer, never on offer', () => {
    const item = new OneItem()
    item.see('ebay/1', now('paid', 0))
    item.see('etsy/1', now('paid', 1))
    item.see('etsy/2', now('paid', 2))
    const plan = item.see('ebay/1', now('cancelled', 3))
    expect(plan).toMatchObject({
      saleEnds: 'ebay/1',
      saleBegins: 'etsy/1',
      frees: false,
      settles: ['etsy/1'],
      moves: [],
    })
    expect([item.state, item.of('etsy/1'), item.of('etsy/2')]).toEqual(['sold', 'sold', 'oversell'])
  })

  it('puts a late report of an earlier order second', () => {
    const item = new OneItem()
    item.see('etsy/1', now('paid', 60))
    expect(item.see('ebay/1', now('paid', 0)).decision.outcome).toBe('oversell')
  })

  it('sells one of four units and alerts about the other three', () => {
    const item = new OneItem()
    expect(item.see('ebay/1', now('paid', 0, 4))).toMatchObject({
      decision: { outcome: 'sold', excessUnits: 3 },
      alerts: [{ kind: 'excess_quantity', excessUnits: 3 }],
    })
  })

  it('holds for an unpaid line until a payment wins', () => {
    const item = new OneItem()
    expect(item.see('ebay/1', now('pending', 0))).toMatchObject({ decision: { outcome: 'held' }, delistsOthers: true })
    expect(item.state).toBe('reserved')
    item.see('ebay/1', now('paid', 1))
    expect([item.state, item.of('ebay/1')]).toEqual(['sold', 'sold'])

    const lost = new OneItem()
    lost.see('ebay/1', now('pending', 0))
    expect(lost.see('etsy/1', now('paid', 1))).toMatchObject({
      decision: { outcome: 'sold', displaces: true },
      alerts: [{ kind: 'oversell', key: 'ebay/1' }],
    })
    expect([lost.of('ebay/1'), lost.of('etsy/1')]).toEqual(['oversell', 'sold'])
  })

  it('keeps the item with the first of two unpaid lines', () => {
    const item = new OneItem()
    item.see('ebay/1', now('pending', 0))
    expect(item.see('etsy/1', now('pending', 1)).decision.outcome).toBe('oversell')
    expect(item.of('ebay/1')).toBe('held')
  })

  it('sells a withdrawn item with an alert, by two legal moves', () => {
    const item = new OneItem('withdrawn')
    expect(item.see('ebay/1', now('paid', 0))).toMatchObject({
      moves: ['available', 'sold'],
      alerts: [{ kind: 'sold_while_withdrawn' }],
    })
  })

  it('treats an item imported as sold as bought before', () => {
    expect(new OneItem('sold').see('ebay/1', now('paid', 0)).decision.outcome).toBe('oversell')
  })

  it('takes the order of a listing imported as sold for its sale', () => {
    const facts = { key: 'ebay/1', now: now('paid', 0), before: null, claims: [] }
    expect(planLine({ ...facts, item: { state: 'sold', soldByListing: true } })).toMatchObject({
      decision: { outcome: 'sold', alerts: [] },
      moves: [],
      saleBegins: 'ebay/1',
    })
  })

  it('keeps an unknown line unmatched until it is matched', () => {
    const item = new OneItem(null)
    expect(item.see('ebay/1', now('paid', 0)).decision.outcome).toBe('unmatched')
    item.state = 'available'
    expect(item.see('ebay/1', now('paid', 0)).decision.outcome).toBe('sold')
  })
})

describe('any sequence of reports', () => {
  const keys = ['ebay/1', 'ebay/2', 'etsy/1', 'etsy/2']
  const observation = fc.record({
    key: fc.constantFrom(...keys),
    status: fc.constantFrom<LineNow['status']>('pending', 'paid', 'cancelled'),
    minute: fc.integer({ min: 0, max: 12 }),
    quantity: fc.integer({ min: 1, max: 3 }),
  })
  const start = fc.constantFrom<Availability>('available', 'reserved', 'withdrawn', 'sold')

  it('holds the invariants after every step', () => {
    fc.assert(
      fc.property(start, fc.array(observation, { maxLength: 40 }), (state, reported) => {
        const item = new OneItem(state)
        for (const { key, status, minute, quantity } of reported) {
          item.see(key, now(status, minute, quantity))
          const states = [...item.lines].map(([, line]) => line.state)
          const holders = states.filter((one) => one === 'sold' || one === 'held')
          expect(holders.length).toBeLessThanOrEqual(1)
          expect(states.filter((one) => one === 'sold').length).toBe(item.liveSale ? 1 : 0)
          if (item.liveSale) expect([item.state, item.of(item.liveSale)]).toEqual(['sold', 'sold'])
          if (state !== 'sold' && item.state === 'sold') expect(item.liveSale).not.toBeNull()
          if (states.includes('held')) expect(item.state).toBe('reserved')
          // Every paying buyer has the item or an alert, and a wanted item is not on offer.
          for (const [line, known] of item.lines) {
            if (known.status === 'paid') expect(['sold', 'oversell']).toContain(known.state)
            if (known.state === 'oversell') expect(item.alerts).toContain(`oversell ${line}`)
          }
          if (states.includes('oversell')) expect(item.state).not.toBe('available')
          for (const [from, to] of item.moves) expect(legal).toContain(`${from} ${to}`)
        }
      }),
      { numRuns: 3_000 },
    )
  })

  it('follows the last report of each line, however shuffled', () => {
    fc.assert(
      fc.property(fc.array(observation, { maxLength: 25 }), fc.infiniteStream(fc.nat(1_000)), (reported, random) => {
        const [inOrder, shuffled] = [new OneItem(), new OneItem()]
        const doubled = [...reported, ...reported]
          .map((one) => ({ one, place: random.next().value as number }))
          .sort((first, second) => first.place - second.place)
        for (const { key, status, minute, quantity } of reported) inOrder.see(key, now(status, minute, quantity))
        for (const { one } of doubled) shuffled.see(one.key, now(one.status, one.minute, one.quantity))
        for (const key of keys) {
          expect(shuffled.of(key) === 'cancelled').toBe(inOrder.of(key) === 'cancelled')
          expect(shuffled.lines.get(key)?.status).toBe(inOrder.lines.get(key)?.status)
        }
        const isHad = (item: OneItem) => item.claims().some((claim) => claim.state !== 'oversell')
        expect(isHad(shuffled)).toBe(isHad(inOrder))
      }),
      { numRuns: 2_000 },
    )
  })
})
