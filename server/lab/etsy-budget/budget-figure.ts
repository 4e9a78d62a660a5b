import { planReading, type ReadShop } from '#server/selling/orders/plan-reading.ts'
import { callsNeeded, readBudgetOf } from '#server/selling/orders/read-budgets.ts'

interface BudgetFigure {
  shops: number
  granted: number
  /** Calls a day to read every shop's orders at the slowest that is planned, and those that there are for it. */
  needed: number
  forReading: number
  callsPerDay: number
  slowestSeconds: number
  withPushes: { busiestSeconds: number; medianSeconds: number; coveredIn60: number }
  withoutPushes: { busiestSeconds: number; medianSeconds: number; coveredIn60: number }
  /** One shop in twenty gets no pushes. */
  someWithoutPushes: { busiestSeconds: number; medianSeconds: number; coveredIn60: number; shops: number }
}

/**
 * Computes how often `shops` Etsy shops can be read within one application's calls a day, with working pushes, without
 * any, and with one in twenty lost. Sales are uneven: the k-th shop sells 1/k of the first's 40 a week.
 */
export function etsyBudget(shops: number, calls = 10_000): BudgetFigure {
  const budget = readBudgetOf('etsy', { ORDER_POLL_SECONDS: 60, ETSY_DAILY_CALLS: calls })
  const build = (pushesWork: (index: number) => boolean): ReadShop[] =>
    Array.from({ length: shops }, (_, index) => ({
      key: String(index),
      ordersLastWeek: 40 / (index + 1),
      pushesWork: pushesWork(index),
    }))
  const withPushes = planReading(
    build(() => true),
    budget,
  )
  const without = planReading(
    build(() => false),
    budget,
  )
  const some = planReading(
    build((index) => index % 20 !== 0),
    budget,
  )
  const lost = new Map([...some.intervals].filter(([key]) => Number(key) % 20 === 0))
  return {
    shops,
    granted: budget.callsPerDay,
    needed: callsNeeded(budget, shops),
    forReading: budget.callsPerDay * budget.share,
    callsPerDay: Math.max(withPushes.callsPerDay, without.callsPerDay, some.callsPerDay),
    slowestSeconds: Math.max(
      ...without.intervals.values(),
      ...withPushes.intervals.values(),
      ...some.intervals.values(),
    ),
    withPushes: figureOf(withPushes.intervals),
    withoutPushes: figureOf(without.intervals),
    someWithoutPushes: { ...figureOf(lost), shops: lost.size },
  }
}

function figureOf(intervals: Map<string, number>) {
  const sorted = [...intervals.values()].sort((one, other) => one - other)
  return {
    busiestSeconds: sorted[0] ?? 0,
    medianSeconds: sorted[Math.floor(sorted.length / 2)] ?? 0,
    coveredIn60: sorted.filter((seconds) => seconds <= 60).length,
  }
}
