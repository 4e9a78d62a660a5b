/** A shop whose orders are read, as far as planning needs it. */
export interface ReadShop {
  key: string
  /** Orders that were made in the last seven days. */
  ordersLastWeek: number
  /** The platform has told us of its last orders by itself: reading is then only the net under it. */
  pushesWork: boolean
}

export interface ReadBudget {
  /** What the platform grants the whole application, for everything. */
  callsPerDay: number
  /** The part of it that reading orders may use; the rest is for taking down (first of all), listing and importing. */
  share: number
  /** No shop is read more often than so. */
  fastestSeconds: number
  /** Each is read at least so often, however little it sells, while the budget allows it. */
  slowestSeconds: number
}

export interface ReadPlan {
  /** How often to read each shop. */
  intervals: Map<string, number>
  /** Calls a day that this takes. */
  callsPerDay: number
  /** Shops whose lost pushes are found within `fastestSeconds`. */
  covered: string[]
}

const daySeconds = 86_400
/** How much less a shop needs reading that is told of by pushes. */
const pushedWeight = 1 / 50

/**
 * How often to read the orders of each shop of a platform, within what it grants (issue "Orders"). The harm of
 * reading late is a second sale: it grows with the shop's own rate of sales and with the wait. Under a fixed number of
 * calls the sum of harms is least when the calls go by the square root of the rate, each shop's bounded by the fastest and
 * the slowest interval.
 */
export function planReading(shops: readonly ReadShop[], budget: ReadBudget): ReadPlan {
  const calls = budget.callsPerDay * budget.share
  const most = daySeconds / budget.fastestSeconds
  // When not even the slowest fits, all are read more slowly; the overlap of a reading reaches back as far as it must.
  const least = Math.min(daySeconds / budget.slowestSeconds, calls / Math.max(1, shops.length))
  const weights = shops.map(weightOf)
  const taken = (factor: number) =>
    weights.reduce((sum, weight) => sum + clamp(factor * weight, Math.min(least, most), most), 0)
  const factor = solve(taken, calls, most / Math.min(...weights, 1))
  const intervals = new Map(
    shops.map(({ key }, index) => [
      key,
      Math.ceil(daySeconds / clamp(factor * weights[index]!, Math.min(least, most), most)),
    ]),
  )
  return {
    intervals,
    callsPerDay: Math.floor([...intervals.values()].reduce((sum, seconds) => sum + daySeconds / seconds, 0)),
    covered: [...intervals].filter(([, seconds]) => seconds <= budget.fastestSeconds).map(([key]) => key),
  }
}

/** The square root of how much a shop sells; one that has not sold lately may do so at any time. */
function weightOf({ ordersLastWeek, pushesWork }: ReadShop): number {
  return Math.sqrt((ordersLastWeek + 0.25) * (pushesWork ? pushedWeight : 1))
}

const clamp = (value: number, low: number, high: number) => Math.min(Math.max(value, low), high)

/** The largest factor whose calls fit, by halving: `taken` grows with it. */
function solve(taken: (factor: number) => number, calls: number, high: number): number {
  let low = 0
  for (let step = 0; step < 60; step++) {
    const middle = (low + high) / 2
    if (taken(middle) <= calls) low = middle
    else high = middle
  }
  return low
}
