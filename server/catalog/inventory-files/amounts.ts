import type { Cells } from './columns.ts'

/** Separators of thousands and decimals, as countries write them. */
const separators = [
  [',', '.'],
  ['.', ','],
  [' ', ','],
  ["'", '.'],
] as const

/** Signs that name one currency. A plain dollar is that of several countries. */
const currencies: Readonly<Record<string, string>> = { '€': 'EUR', '£': 'GBP', US$: 'USD', C$: 'CAD', A$: 'AUD' }

/** Returns a row with plain amounts, and with the currency that the sign of the price names, if the row names none. */
export function withPlainAmounts(cells: Cells): Cells {
  const plain: Record<string, string> = { ...cells }
  const price = readAmount(cells.price ?? '')
  const cost = readAmount(cells.cost ?? '')
  if (price) plain.price = price.amount
  if (cost) plain.cost = cost.amount
  if (price?.currency && !cells.currency) plain.currency = price.currency
  return plain
}

/**
 * Reads an amount as spreadsheets write it: "$1,250.00", "1.250,00 €". Null for what is none. A
 * plain decimal such as "1.250" stays as it is, since nobody knows whether its point separates thousands.
 */
function readAmount(text: string): { amount: string; currency: string | null } | null {
  const parts = /^([A-Z]{0,3}[$€£]?)\s?(\d[\d.,'’\s]*?)\s?([A-Z]{0,3}[$€£]?)$/.exec(text.trim())
  if (!parts) return null
  const [, before = '', number = '', after = ''] = parts
  const sign = before || after
  const amount = plainNumber(number.replace(/\s/g, ' ').replaceAll('’', "'"))
  return amount === null ? null : { amount, currency: currencies[sign] ?? (/^[A-Z]{3}$/.test(sign) ? sign : null) }
}

function plainNumber(number: string): string | null {
  if (/^\d+(?:\.\d+)?$/.test(number)) return number
  for (const [group, point] of separators) {
    const [whole = '', fraction = '', ...more] = number.split(point)
    const [first = '', ...groups] = whole.split(group)
    const isWhole = groups.length === 0 ? /^\d+$/.test(first) : /^\d{1,3}$/.test(first)
    const isNumber = isWhole && groups.every((digits) => /^\d{3}$/.test(digits)) && /^\d{0,2}$/.test(fraction)
    if (isNumber && more.length === 0) return [[first, ...groups].join(''), fraction].filter(Boolean).join('.')
  }
  return null
}
