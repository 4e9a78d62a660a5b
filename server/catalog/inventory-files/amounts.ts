import type { FieldError } from '#shared/contract/declaring/errors.ts'
import { currencyExponent } from '#shared/money.ts'
import type { Cells } from './columns.ts'
import { readSigns, type Sign } from './reading/currency-signs.ts'

/** The sign before decimals in a file. */
export type NumberStyle = 'point' | 'comma'

/** Columns with amounts. The last three are those of a sale. */
const amountNames = ['price', 'cost', 'sold_price', 'sold_fee', 'sold_shipping']

/** Separators of thousands and decimals, as countries write them. */
const separators = [
  [',', '.'],
  ['.', ','],
  [' ', ','],
  [' ', '.'],
  ["'", '.'],
  ["'", ','],
] as const

interface Amount {
  /** Digits with their separators, such as `1.234,50`. */
  number: string
  /** The currencies that the signs beside it may mean together; null without a sign. */
  currencies: readonly string[] | null
  /** How the countries with these signs write decimals. */
  style: NumberStyle | null
}

/** Returns how a file writes decimals, by its amounts, else by its delimiter; null if that is not sure. */
export function numberStyleOf(amounts: readonly string[], delimiter: string): NumberStyle | null {
  let [points, commas] = [false, false]
  for (const text of amounts) {
    const number = readAmount(text)?.number
    if (number === undefined || isUnclear(number)) continue
    if (lakhs.test(number)) points = true
    else if (/\.\d+$/.test(number) || number.includes(',')) {
      if (/\.\d{1,2}$|^0\.\d/.test(number) || /,\d{3}\b.*[.,]/.test(number)) points = true
      else commas = true
    } else if (number.includes('.')) commas = true
  }
  if (points !== commas) return points ? 'point' : 'comma'
  return !points && delimiter === ',' ? 'point' : null
}

/**
 * Returns a row with plain amounts, and with the currency that the sign of the price names, if the row names none.
 * `usual`: the currency of amounts without a sign.
 */
export function withPlainAmounts(
  cells: Cells,
  style: NumberStyle | null = 'point',
  usual: string | null = null,
): Cells {
  const plain: Record<string, string> = { ...cells }
  for (const name of amountNames) {
    const amount = readAmount(cells[name] ?? '')
    const number = amount && plainNumber(amount, style, decimalsOf(amount, cells, usual))
    if (!amount || number === null) continue
    plain[name] = number
    const currency = onlyCurrency(amount)
    if (name === 'price' && currency && !cells.currency) plain.currency = currency
  }
  return plain
}

/** Returns an error for each amount that can be read in two ways, or is below zero. */
export function findUnclearAmounts(cells: Cells, style: NumberStyle | null, usual: string | null = null): FieldError[] {
  return amountNames.flatMap((field) => {
    const text = cells[field]?.trim() ?? ''
    if (
      text.length > 0 &&
      text.length <= maxLength &&
      /^\D{0,5}[-−(]\D{0,5}\d|\d\D{0,5}-$/.test(text) &&
      !/(?:[.,][-–—]{1,2}\D{0,5}|\/[-–—])$/.test(text)
    ) {
      return [{ field, code: 'invalid_price', message: 'must not be negative' }]
    }
    const amount = readAmount(text)
    if (!amount || !isUnclear(amount.number)) return []
    if (readUnclear(amount, style, decimalsOf(amount, cells, usual)) !== null) return []
    const whole = amount.number.replace(/[.,]/, '')
    const message = `can be read in two ways: ${amount.number}. Write ${whole}.00, or ${amount.number.replace(',', '.')}0 with its decimals`
    return [{ field, code: 'unclear_price', message }]
  })
}

/** Returns the signs beside the amounts of a row. */
export const signsOf = (cells: Cells): Sign[] =>
  amountNames.flatMap((name) => {
    const text = cells[name]?.trim() ?? ''
    const currencies = readAmount(text)?.currencies
    return currencies ? [{ text, currencies }] : []
  })

/** Amounts have less characters. */
const maxLength = 40

/** Splits an amount as spreadsheets write it: "$1,250.00", "1.250,00 €", "45,-". Null for a text that is none. */
export function readAmount(text: string): Amount | null {
  const trimmed = text.trim()
  const parts = trimmed.length <= maxLength && /^(\D*)(\d(?:[\d.,'’\s]*\d)?)(\D*)$/.exec(trimmed)
  if (!parts) return null
  const [, before = '', digits = '', after = ''] = parts
  const number = digits.replace(/\s/g, ' ').replaceAll('’', "'")
  // `45,-` and `450/-` are even amounts, and `.50` less than one.
  const end = after.replace(/^(?:[.,][-–—]{0,2}|\/[-–—])/, '').trim()
  const start = before.trim()
  const isFraction = /(?:^|[^A-Z])[.,]$/i.test(before) && /^\d{1,2}$/.test(number)
  const signs = readSigns([isFraction ? start.slice(0, -1) : start, end])
  if (!signs) return null
  return { number: isFraction ? `0.${number}` : number, ...signs }
}

/** Returns the currency that the signs name, if they can mean no other. */
const onlyCurrency = ({ currencies }: Amount) => (currencies?.length === 1 ? currencies[0]! : null)

/** `1.234` and `1,234`: the only sign may separate thousands or decimals. */
const isUnclear = (number: string) => /^[1-9]\d{0,2}[.,]\d{3}$/.test(number)

/** `1,23,456`: India groups two digits, and three before the point. */
const lakhs = /^\d{1,2}(?:,\d{2})+,\d{3}(?:\.\d{1,2})?$/

/** Returns the decimals of an amount's currency; null where nothing names the currency. */
function decimalsOf(amount: Amount, cells: Cells, usual: string | null): number | null {
  const named = cells.currency || onlyCurrency(amount) || usual
  return named ? currencyExponent(named) : null
}

/** Returns the number that `1.234` or `1,234` is; null if that is not sure. */
function readUnclear({ number, style: ofSign }: Amount, style: NumberStyle | null, decimals: number | null) {
  const whole = number.replace(/[.,]/, '')
  if (decimals === 0) return whole
  const point = style ?? ofSign
  if (decimals === 3 && number.includes(point === 'comma' ? ',' : '.')) return number.replace(',', '.')
  return point !== null && number.includes(point === 'point' ? ',' : '.') ? whole : null
}

/** Returns a decimal such as `1250.5`; null for a text that is none. */
function plainNumber(amount: Amount, style: NumberStyle | null, decimals: number | null): string | null {
  const { number } = amount
  if (isUnclear(number)) return readUnclear(amount, style, decimals)
  if (/^\d+(?:\.\d+)?$/.test(number)) return number
  if (lakhs.test(number)) return number.replaceAll(',', '')
  for (const [group, point] of separators) {
    const [whole = '', fraction = '', ...more] = number.split(point)
    const [first = '', ...groups] = whole.split(group)
    const isWhole = groups.length === 0 ? /^\d+$/.test(first) : /^\d{1,3}$/.test(first)
    const isNumber =
      isWhole && groups.every((digits) => /^\d{3}$/.test(digits)) && fraction.length <= (decimals === 3 ? 3 : 2)
    if (isNumber && /^\d*$/.test(fraction) && more.length === 0)
      return [[first, ...groups].join(''), fraction].filter(Boolean).join('.')
  }
  return null
}
