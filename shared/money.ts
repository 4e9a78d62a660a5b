/** Currencies whose minor unit is not a hundredth (ISO 4217). */
const withoutMinorUnit = new Set('BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF'.split(' '))
const withThousandths = new Set('BHD IQD JOD KWD LYD OMR TND'.split(' '))

const decimal = /^(\d{1,12})(?:\.(\d{1,10}))?$/

/** Returns the decimal digits of a currency's minor unit: USD 2, JPY 0, KWD 3. */
export function currencyExponent(currency: string): number {
  if (withoutMinorUnit.has(currency)) return 0
  return withThousandths.has(currency) ? 3 : 2
}

/**
 * Converts a decimal text to minor units without floats ("17.5", "USD" -> 1750). Null if the text is not a plain
 * decimal or has more digits than the currency, other than zeros.
 */
export function minorFromDecimal(text: string, currency: string): number | null {
  const parts = decimal.exec(text.trim())
  if (!parts) return null
  const [, whole = '', fraction = ''] = parts
  const digits = currencyExponent(currency)
  if (fraction.length === digits) return Number(whole + fraction)
  if (/[1-9]/.test(fraction.slice(digits))) return null
  const minor = Number(whole + fraction.slice(0, digits).padEnd(digits, '0'))
  return Number.isSafeInteger(minor) ? minor : null
}

/** Converts minor units to a decimal text (1750, "USD" -> "17.50"). */
export function decimalFromMinor(minor: number, currency: string): string {
  const digits = currencyExponent(currency)
  if (digits === 0) return String(minor)
  const text = String(minor).padStart(digits + 1, '0')
  return `${text.slice(0, -digits)}.${text.slice(-digits)}`
}

/** Shares an amount of minor units by weight; the shares sum up to it. Without any weight, nobody gets a share. */
export function shareByWeight(amount: number, weights: readonly number[]): number[] {
  const sum = weights.reduce((total, weight) => total + weight, 0)
  let before = 0
  return weights.map((weight) => {
    const from = before
    before += weight
    return sum === 0 ? 0 : Math.round((amount * before) / sum) - Math.round((amount * from) / sum)
  })
}
