/** Currencies whose minor unit is not a hundredth (ISO 4217). */
const withoutMinorUnit = new Set('BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF'.split(' '))
const withThousandths = new Set('BHD IQD JOD KWD LYD OMR TND'.split(' '))

const decimal = /^(\d{1,12})(?:\.(\d{1,10}))?$/

/** Decimal digits of a currency's minor unit: USD 2, JPY 0, KWD 3. */
export function currencyExponent(currency: string): number {
  if (withoutMinorUnit.has(currency)) return 0
  return withThousandths.has(currency) ? 3 : 2
}

/**
 * Minor units of a decimal text ("17.5", "USD" -> 1750), exactly and without floats.
 * Null when the text is no plain decimal, or has digits that the currency has no unit for (other than zeros).
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

/** Decimal text of minor units (1750, "USD" -> "17.50"). */
export function decimalFromMinor(minor: number, currency: string): string {
  const digits = currencyExponent(currency)
  if (digits === 0) return String(minor)
  const text = String(minor).padStart(digits + 1, '0')
  return `${text.slice(0, -digits)}.${text.slice(-digits)}`
}
