import type { Sale } from '#shared/contract/selling/sales.ts'
import { dayOf, moneyText } from '../common/format.ts'
import { text } from './words.ts'

/** Amounts of sales in minor units of one currency. Fees, shipping and costs are sums of those that are known. */
export interface SaleSum {
  key: string
  sales: number
  revenue: number
  fees: number
  /** Sales whose fee is not known. */
  unknown_fees: number
  shipping: number
  cost: number
  /** Sales whose item has no cost. */
  unknown_costs: number
  /** Of the sales whose fee and cost are known; null where there are none. */
  profit: number | null
  /** Sales that the profit leaves out. */
  incomplete: number
}

export type Grouping = 'day' | 'platform'

/**
 * Formats the fees of a sum: no amount if none is known, and the number of sales that it lacks. Rates are known for sales
 * in US dollars only.
 */
export function feesText({ sales, fees, unknown_fees }: SaleSum, currency: string): string {
  if (unknown_fees > 0 && unknown_fees === sales) return text('sales.fees_unknown')
  const amount = moneyText(0 - fees, currency)
  return unknown_fees > 0 ? text('sales.fees_partly', { amount, n: unknown_fees }) : amount
}

/** Formats the cost of the items of a sum: no amount if none is known. */
export function costText({ sales, cost, unknown_costs }: SaleSum, currency: string): string {
  if (unknown_costs > 0 && unknown_costs === sales) return text('sales.profit_none')
  return moneyText(0 - cost, currency)
}

/** Formats the profit of a sum: no amount if none is known. */
export function profitText({ profit }: SaleSum, currency: string): string {
  return profit === null ? text('sales.profit_none') : moneyText(profit, currency)
}

/** Says how many sales a profit leaves out, or returns null if it leaves out none. */
export function leftOutText({ profit, incomplete }: SaleSum): string | null {
  return profit === null || incomplete === 0 ? null : text('sales.left_out', { n: incomplete })
}

/** Returns what a profit lacks. Shipping that is not entered was none, and a sale in person has no fee. */
export function missingOf({ platform, fee_minor, cost_minor }: Sale): ('fee' | 'cost')[] {
  return [
    ...(fee_minor === null && platform !== 'outside' ? (['fee'] as const) : []),
    ...(cost_minor === null ? (['cost'] as const) : []),
  ]
}

/** Returns the profit of a sale, or null if its fee or cost is missing. */
export function profitOf(sale: Sale): number | null {
  if (missingOf(sale).length > 0) return null
  return sale.price_minor - (sale.fee_minor ?? 0) - (sale.shipping_minor ?? 0) - (sale.cost_minor ?? 0)
}

/** Adds up sales. */
export function sumOf(sales: readonly Sale[], key = ''): SaleSum {
  const profits = sales.map(profitOf).filter((profit) => profit !== null)
  const sum = (pick: (sale: Sale) => number | null) => sales.reduce((total, sale) => total + (pick(sale) ?? 0), 0)
  return {
    key,
    sales: sales.length,
    revenue: sum((sale) => sale.price_minor),
    fees: sum((sale) => sale.fee_minor),
    unknown_fees: sales.filter((sale) => missingOf(sale).includes('fee')).length,
    shipping: sum((sale) => sale.shipping_minor),
    cost: sum((sale) => sale.cost_minor),
    unknown_costs: sales.filter(({ cost_minor }) => cost_minor === null).length,
    profit: profits.length > 0 ? sum(profitOf) : null,
    incomplete: sales.length - profits.length,
  }
}

/** Adds up sales by day, the newest first, or by platform, the best first. */
export function groupSales(sales: readonly Sale[], by: Grouping): SaleSum[] {
  const groups = new Map<string, Sale[]>()
  for (const sale of sales) {
    const key = by === 'day' ? dayOf(Date.parse(sale.sold_at)) : sale.platform
    groups.set(key, [...(groups.get(key) ?? []), sale])
  }
  const sums = [...groups].map(([key, some]) => sumOf(some, key))
  return sums.sort((one, other) =>
    by === 'day' ? (one.key < other.key ? 1 : -1) : other.revenue - one.revenue || (one.key < other.key ? -1 : 1),
  )
}

/** Returns the days from the first listing to the sale, or null if that is not known. */
export function daysToSell({ listed_at, sold_at }: Pick<Sale, 'listed_at' | 'sold_at'>): number | null {
  if (listed_at === null) return null
  return Math.max(0, Math.round((Date.parse(sold_at) - Date.parse(listed_at)) / 86_400_000))
}

/** Returns the currencies of sales or items, the most frequent first. */
export function currenciesOf(amounts: readonly { currency: string }[]): string[] {
  const counts = new Map<string, number>()
  for (const { currency } of amounts) counts.set(currency, (counts.get(currency) ?? 0) + 1)
  return [...counts].sort(([, one], [, other]) => other - one).map(([currency]) => currency)
}
