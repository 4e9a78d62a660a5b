import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { etsyBudget } from '#server/lab/etsy-budget/budget-figure.ts'
import { planReading, type ReadShop } from './plan-reading.ts'
import { readBudgetOf } from './read-budgets.ts'

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
    const etsy = readBudgetOf('etsy', { ORDER_POLL_SECONDS: 60, ETSY_DAILY_CALLS: 10_000 })
    const rich = planReading(shops, { ...etsy, callsPerDay: 1_000_000 })
    expect(rich.covered).toHaveLength(60)
    const poor = planReading(shops, etsy)
    expect(poor.covered.length).toBeLessThan(60)
    expect(Math.max(...poor.intervals.values())).toBeLessThanOrEqual(etsy.slowestSeconds)
  })

  it('reads 500 Etsy shops every 6 hours with half of 10,000 calls', () => {
    const figure = etsyBudget(500)
    expect(figure.callsPerDay).toBeLessThanOrEqual(5_000)
    expect(figure.slowestSeconds).toBeLessThanOrEqual(21_600)
    // Without pushes, the best-selling shop is found soonest.
    expect(figure.withoutPushes.busiestSeconds).toBeLessThan(figure.withoutPushes.medianSeconds)
  })

  it('reads as much more often as Etsy grants more calls', () => {
    const slow = etsyBudget(5_000)
    expect(slow).toMatchObject({ needed: 20_000, forReading: 5_000, slowestSeconds: 86_400 })
    const fast = etsyBudget(5_000, 100_000)
    expect(fast.slowestSeconds).toBeLessThanOrEqual(21_600)
    expect(fast.withPushes.medianSeconds).toBeLessThan(slow.withPushes.medianSeconds / 4)
  })
})
