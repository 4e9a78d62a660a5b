import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { planReading, type ReadShop } from './plan-reading.ts'
import { callsNeeded, readBudgetOf } from './read-budgets.ts'

const shop = fc.record({
  key: fc.uuid(),
  ordersLastWeek: fc.integer({ min: 0, max: 500 }),
  pushesWork: fc.boolean(),
})
const budget = fc.record({
  callsPerDay: fc.integer({ min: 100, max: 1_000_000 }),
  share: fc.constantFrom(0.3, 0.5),
  fastestSeconds: fc.constantFrom(1, 60),
  slowestSeconds: fc.constantFrom(3_600, 21_600),
})

describe('planning when to read orders', () => {
  it('stays within the calls and reads every shop', () => {
    fc.assert(
      fc.property(fc.uniqueArray(shop, { selector: ({ key }) => key, maxLength: 80 }), budget, (shops, limits) => {
        const plan = planReading(shops, limits)
        expect(plan.intervals.size).toBe(shops.length)
        expect(plan.callsPerDay).toBeLessThanOrEqual(limits.callsPerDay * limits.share + 1)
        for (const seconds of plan.intervals.values()) expect(seconds).toBeGreaterThanOrEqual(limits.fastestSeconds)
      }),
    )
  })

  it('reads busy shops and shops without pushes more often', () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(shop, { selector: ({ key }) => key, minLength: 2, maxLength: 80 }),
        budget,
        (shops, limits) => {
          const { intervals } = planReading(shops, limits)
          const need = (one: ReadShop) => (one.ordersLastWeek + 0.25) * (one.pushesWork ? 1 / 50 : 1)
          const sorted = shops.toSorted((one, other) => need(other) - need(one))
          for (let index = 1; index < sorted.length; index++) {
            if (need(sorted[index - 1]!) === need(sorted[index]!)) continue
            expect(intervals.get(sorted[index - 1]!.key)).toBeLessThanOrEqual(intervals.get(sorted[index]!.key)!)
          }
        },
      ),
    )
  })

  it('covers every shop within a minute if the budget allows', () => {
    const shops = Array.from({ length: 60 }, (_, index) => ({
      key: `${index}`,
      ordersLastWeek: index,
      pushesWork: false,
    }))
    const etsy = etsyBudget(10_000)
    const rich = planReading(shops, { ...etsy, callsPerDay: 1_000_000 })
    expect(rich.covered).toHaveLength(60)
    const poor = planReading(shops, etsy)
    expect(poor.covered.length).toBeLessThan(60)
    expect(Math.max(...poor.intervals.values())).toBeLessThanOrEqual(etsy.slowestSeconds)
  })

  it.each([
    [500, 10_000, 6],
    [1_250, 10_000, 6],
    [5_000, 10_000, 24],
    [5_000, 40_000, 6],
  ])('reads %i Etsy shops with %i calls a day at least every %i hours', (count, calls, hours) => {
    const figures = `| ${count.toLocaleString('en')} | ${calls.toLocaleString('en')} | ${hours} h |`
    expect(readFileSync('docs/growing.md', 'utf8')).toContain(figures)
    for (const pushesWork of [true, false]) {
      const { intervals, callsPerDay } = planReading(etsyShops(count, pushesWork), etsyBudget(calls))
      expect(Math.max(...intervals.values())).toBeLessThanOrEqual(hours * 3_600)
      expect(callsPerDay).toBeLessThanOrEqual(calls / 2)
    }
  })

  it('needs eight calls a day for each Etsy shop to read all every 6 hours', () => {
    const { share } = etsyBudget(10_000)
    expect(callsNeeded(etsyBudget(10_000), 5_000) / share).toBe(40_000)
  })

  it('reads some Etsy shops sooner than others, and all sooner with more calls', () => {
    const spread = (count: number, pushesWork: boolean, calls: number) => {
      const sorted = [...planReading(etsyShops(count, pushesWork), etsyBudget(calls)).intervals.values()].sort(
        (one, other) => one - other,
      )
      return { soonest: sorted[0]!, median: sorted[Math.floor(count / 2)]! }
    }
    const without = spread(500, false, 10_000)
    expect(without.soonest).toBeLessThan(without.median)
    expect(spread(5_000, true, 100_000).median).toBeLessThan(spread(5_000, true, 10_000).median / 4)
  })
})

const etsyBudget = (calls: number) => readBudgetOf('etsy', { ORDER_POLL_SECONDS: 60, ETSY_DAILY_CALLS: calls })

/** Returns shops that sell unevenly: the first 40 items a week, the k-th 40/k. */
function etsyShops(count: number, pushesWork: boolean): ReadShop[] {
  return Array.from({ length: count }, (_, index) => ({
    key: String(index),
    ordersLastWeek: 40 / (index + 1),
    pushesWork,
  }))
}
