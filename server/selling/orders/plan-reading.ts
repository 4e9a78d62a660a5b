/** A shop as far as planning needs it. */
export interface ReadShop {
  key: string
  /** Orders of the last seven days. */
  ordersLastWeek: number
  /** Pushes announced its last orders, so reading only backs them up. */
  pushesWork: boolean
}

export interface ReadBudget {
  /** Calls that the platform grants the whole application. */
  callsPerDay: number
  /** Share of them for reading orders. The rest is for delisting (first), listing and importing. */
  share: number
  /** No shop is read more often. */
  fastestSeconds: number
  /** Every shop is read at least this often while the budget allows it. */
  slowestSeconds: number
}

interface ReadPlan {
  /** Seconds between readings of each shop. */
  intervals: Map<string, number>
  /** Calls a day that this takes. */
  callsPerDay: number
  /** Shops whose lost pushes are found within `fastestSeconds`. */
  covered: string[]
}

const daySeconds = 86_400
/** Weight of a shop that gets pushes. */
const pushedWeight = 1 / 50

/**
 * Plans how often to read each shop's orders within a platform's calls. Reading late risks a second sale, in proportion
 * to the shop's sales and the wait. With a fixed number of calls, the total risk is least if the calls of a shop
 * follow the square root of its sales rate. All intervals stay between the fastest and the slowest.
 */
export function planReading(shops: readonly ReadShop[], budget: ReadBudget): ReadPlan {
  const calls = budget.callsPerDay * budget.share
  const most = daySeconds / budget.fastestSeconds
  // If even the slowest interval does not fit, all shops are read more slowly, and readings reach back further.
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

/** Returns the square root of the sales rate. A shop without recent sales may still sell at any time. */
function weightOf({ ordersLastWeek, pushesWork }: ReadShop): number {
  return Math.sqrt((ordersLastWeek + 0.25) * (pushesWork ? pushedWeight : 1))
}

const clamp = (value: number, low: number, high: number) => Math.min(Math.max(value, low), high)

/** Finds the largest factor whose calls fit, by bisection: `taken` grows with it. */
function solve(taken: (factor: number) => number, calls: number, high: number): number {
  let low = 0
  for (let step = 0; step < 60; step++) {
    const middle = (low + high) / 2
    if (taken(middle) <= calls) low = middle
    else high = middle
  }
  return low
}
