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

/** Returns the form of a title that ignores case, too. */
export const foldTitle = (title: string): string => normalizeText(title).toLowerCase()

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

const amount = /^(-)?(US|CA|AU|C|A)?([$£€])\s?(\d{1,3}(?:,\d{3})+|\d{1,9})(\.\d{2})?$/
const currencies: Record<string, string> = {
  ...{ $: 'USD', US$: 'USD', CA$: 'CAD', C$: 'CAD', AU$: 'AUD', A$: 'AUD', '£': 'GBP', '€': 'EUR' },
}

export interface Price {
  price_minor: number
  currency: string
}

/** Returns the price that a text is, in minor units; null for any other text and for a negative amount. */
export function priceOf(text: string): Price | null {
  const [, minus, region = '', sign = '', whole = '', cents = ''] = amount.exec(text.trim()) ?? []
  const currency = currencies[`${region}${sign}`]
  if (minus || currency === undefined) return null
  const price_minor = minorFromDecimal(`${whole.replaceAll(',', '')}${cents}`, currency)
  return price_minor === null ? null : { price_minor, currency }
}

/** Returns what stands behind a label, on its line or the next one; null without the label. */
export function valueAfter(lines: readonly string[], label: RegExp, from = 0): string | null {
  const at = lines.findIndex((line, index) => index >= from && label.test(line))
  if (at === -1) return null
  const rest = lines[at]!.replace(label, '').trim()
  return rest === '' ? (lines[at + 1] ?? null) : rest
}
