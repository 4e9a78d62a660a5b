import { currencyExponent, decimalFromMinor, minorFromDecimal } from '#shared/money.ts'

type DecimalSign = '.' | ','

/** Returns the sign before decimals in a language; that of the browser by default. */
export function decimalSignOf(locale?: string): DecimalSign {
  const parts = new Intl.NumberFormat(locale).formatToParts(1.5)
  return parts.find(({ type }) => type === 'decimal')?.value === ',' ? ',' : '.'
}

const ownSign = decimalSignOf()

/** Formats minor units for a field: "24.50", or "24,50" where the language writes a comma. */
export function amountText(minor: number, currency: string, sign = ownSign): string {
  return decimalFromMinor(minor, currency).replace('.', sign)
}

/** Whole part, its sign of thousands if it has groups of three, and the decimals with their sign. */
const amount = /^(?:(\d{1,3}(?:([.,'’\s])\d{3})(?:\2\d{3})*)|(\d+))(?:([.,])(\d+))?$/

/**
 * Reads an amount that a seller typed, with a point or a comma before the decimals, in minor units. Null if it is no
 * amount of the currency, or could be read in two ways: "1.500" is fifteen hundred in one country and one and a half in
 * another.
 */
export function readAmount(typed: string, currency: string, sign = ownSign): number | null {
  const [, grouped, groupSign = '', plain, decimalSign, fraction] = amount.exec(typed.trim()) ?? []
  if (grouped === undefined) {
    if (plain === undefined) return null
    return minorFromDecimal(fraction === undefined ? plain : `${plain}.${fraction}`, currency)
  }
  if (decimalSign === groupSign) return null
  const groups = grouped.split(groupSign)
  if (decimalSign === undefined && groups.length === 2 && '.,'.includes(groupSign)) {
    const digits = currencyExponent(currency)
    if (digits === 3) return groupSign === sign ? minorFromDecimal(groups.join('.'), currency) : null
    // Without a minor unit there are no decimals, so the sign is one of thousands.
    if (digits !== 0) return null
  }
  const whole = groups.join('')
  return minorFromDecimal(fraction === undefined ? whole : `${whole}.${fraction}`, currency)
}
