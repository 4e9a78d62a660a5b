import { decimalFromMinor } from '#shared/money.ts'

/** Formats two prices, such as "$16.00 and $29.00". Amounts are minor units. */
export function twoPrices(one: number, other: number, currency: string): string {
  return `${decimalFromMinor(one, currency)} and ${decimalFromMinor(other, currency)} ${currency}`
}
