import { minorFromDecimal } from '#shared/money.ts'
import { plainText } from '#shared/plain-text.ts'

/** Marks that reorder text, and characters without width. */
const invisible = /[\u00AD\u061C\u180E\u200B-\u200F\u202A-\u202E\u2060-\u2069\uFEFF\p{Cc}]/gu
const doubleQuotes = /[\u201C-\u201F\u2033\u2036]/g
const singleQuotes = /[\u2018-\u201B\u2032\u2035\u02BC\u00B4`]/g
const cellEnds = /<\/t[dh]\b[^<>]*>/gi

/**
 * Returns one line of text in the form in which texts are compared: straight quotes, single spaces, composed
 * characters, no direction marks.
 */
export function normalizeText(text: string): string {
  return text
    .toWellFormed()
    .normalize('NFC')
    .replace(/\s+/g, ' ')
    .replace(invisible, '')
    .replace(doubleQuotes, '"')
    .replace(singleQuotes, "'")
    .replace(/\u2026/g, '...')
    .replace(/ {2,}/g, ' ')
    .trim()
}

/** Longer lines are no title, price or id. */
const longestLine = 1_000

/** Returns the lines of a text body. */
export function linesOfText(text: string): string[] {
  return text
    .split(/\r?\n|\r/)
    .map((line) => normalizeText(line.slice(0, longestLine)))
    .filter((line) => line !== '')
}

/** Returns the lines of an HTML body, each table cell a line of its own. */
export function linesOfHtml(html: string): string[] {
  return linesOfText(plainText(html.replace(cellEnds, '<br>')))
}

/** The signs and codes around an amount, without spaces. */
const units: Record<string, string> = {}
for (const [currency, sign, ...countries] of [
  ['USD', '$', 'US'],
  ['CAD', '$', 'CA', 'C'],
  ['AUD', '$', 'AU', 'A'],
  ['GBP', '£'],
  ['EUR', '€'],
] as const) {
  for (const unit of [currency, `${currency}${sign}`, `${sign}${currency}`]) units[unit] = currency
  for (const country of countries) units[`${country}${sign}`] = currency
}
Object.assign(units, { $: 'USD', '£': 'GBP', '€': 'EUR', US$USD: 'USD', CA$CAD: 'CAD', AU$AUD: 'AUD' })

const withPoint = /^(?:\d{1,3}(?:,\d{3}){1,3}|\d{1,9})(?:\.\d{2})?$/
const withComma = /^(?:\d{1,3}(?:\.\d{3}){1,3}|\d{1,9}),\d{2}$/

export interface Price {
  price_minor: number
  currency: string
}

/**
 * Returns the price that a text is, in minor units: "$25", "US $1,234.56", "25.00 USD", "44,00 €". Null for any other
 * text, a negative amount, and an amount without a currency.
 */
export function priceOf(text: string): Price | null {
  const [digits = ''] = /\d[\d.,]{0,20}/.exec(text.slice(0, 40)) ?? []
  const currency = units[text.replace(digits, '').replace(/\s/g, '').toUpperCase()]
  if (currency === undefined) return null
  const amount = withPoint.test(digits)
    ? digits.replaceAll(',', '')
    : withComma.test(digits)
      ? digits.replaceAll('.', '').replace(',', '.')
      : ''
  const price_minor = minorFromDecimal(amount, currency)
  return price_minor === null ? null : { price_minor, currency }
}

/** Returns what stands behind a label, on its line or the next one; null without the label. */
export function valueAfter(lines: readonly string[], label: RegExp, from = 0): string | null {
  const at = lines.findIndex((line, index) => index >= from && label.test(line))
  if (at === -1) return null
  const rest = lines[at]!.replace(label, '').trim()
  return rest === '' ? (lines[at + 1] ?? null) : rest
}
