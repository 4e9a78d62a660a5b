import { decimalFromMinor } from '#shared/money.ts'

/** Two prices of one listing in words: "$16.00 and $29.00". Minor units. */
export function twoPrices(one: number, other: number, currency: string): string {
  return `${decimalFromMinor(one, currency)} and ${decimalFromMinor(other, currency)} ${currency}`
}
