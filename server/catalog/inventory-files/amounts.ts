import type { FieldError } from '#shared/contract/errors.ts'
import { currencyExponent } from '#shared/money.ts'
import type { Cells } from './columns.ts'

/** The sign before decimals in a file. */
export type NumberStyle = 'point' | 'comma'

/** Separators of thousands and decimals, as countries write them. */
const separators = [
  [',', '.'],
  ['.', ','],
  [' ', ','],
  [' ', '.'],
  ["'", '.'],
  ["'", ','],
] as const

/** Signs and words beside an amount, and the currency that they name. Several countries have a dollar, yen or krone. */
const currencies: Readonly<Record<string, string | null>> = {
  ...{ $: null, '¥': null, '￥': null, KR: null, 'KR.': null },
  ...{ '€': 'EUR', EURO: 'EUR', EUROS: 'EUR', '£': 'GBP', US$: 'USD', C$: 'CAD', CA$: 'CAD', A$: 'AUD', AU$: 'AUD' },
  ...{ NZ$: 'NZD', HK$: 'HKD', S$: 'SGD', R$: 'BRL', MX$: 'MXN', 'FR.': 'CHF', 'SFR.': 'CHF', ZŁ: 'PLN', KČ: 'CZK' },
  ...{ '₹': 'INR', '₩': 'KRW', 円: 'JPY', '₺': 'TRY' },
}
/** Signs of countries that write a point before decimals. */
const pointSigns = ['£', 'US$', 'C$', 'CA$', 'A$', 'AU$']

interface Amount {
  /** Digits with their separators, such as `1.234,50`. */
  number: string
  sign: string
  currency: string | null
}

/** Returns how a file writes decimals, by its amounts, else by its delimiter; null if that is not sure. */
export function numberStyleOf(amounts: readonly string[], delimiter: string): NumberStyle | null {
  let [points, commas] = [false, false]
  for (const text of amounts) {
    const number = readAmount(text)?.number
    if (number === undefined || isUnclear(number)) continue
    if (/\.\d+$/.test(number) || number.includes(',')) {
      if (/\.\d{1,2}$/.test(number) || /,\d{3}\b.*[.,]/.test(number)) points = true
      else commas = true
    } else if (number.includes('.')) commas = true
  }
  if (points !== commas) return points ? 'point' : 'comma'
  return !points && delimiter === ',' ? 'point' : null
}

/** Returns a row with plain amounts, and with the currency that the sign of the price names, if the row names none. */
export function withPlainAmounts(cells: Cells, style: NumberStyle | null = 'point'): Cells {
  const plain: Record<string, string> = { ...cells }
  for (const name of ['price', 'cost']) {
    const amount = readAmount(cells[name] ?? '')
    const number = amount && plainNumber(amount, style)
    if (!amount || number === null) continue
    plain[name] = number
    if (name === 'price' && amount.currency && !cells.currency) plain.currency = amount.currency
  }
  return plain
}

/** Returns an error for each price and cost that can be read in two ways, or is below zero. */
export function findUnclearAmounts(cells: Cells, style: NumberStyle | null): FieldError[] {
  return ['price', 'cost'].flatMap((field) => {
    const text = cells[field]?.trim() ?? ''
    if (
      text.length > 0 &&
      text.length <= maxLength &&
      /^\D{0,5}[-−(]\D{0,5}\d|\d\D{0,5}-$/.test(text) &&
      !/[.,][-–—]{1,2}\D{0,5}$/.test(text)
    ) {
      return [{ field, code: 'invalid_price', message: 'must not be negative' }]
    }
    const amount = readAmount(text)
    if (!amount || !isUnclear(amount.number) || groupsThousands(amount, style)) return []
    if (currencyExponent(cells.currency || (amount.currency ?? 'USD')) === 3 && amount.number.includes('.')) return []
    const whole = amount.number.replace(/[.,]/, '')
    const message = `can be read in two ways: ${amount.number}. Write ${whole}.00, or ${amount.number.replace(',', '.')}0 with its decimals`
    return [{ field, code: 'unclear_price', message }]
  })
}

/** Amounts have less characters. */
const maxLength = 40

/** Splits an amount as spreadsheets write it: "$1,250.00", "1.250,00 €", "45,-". Null for a text that is none. */
function readAmount(text: string): Amount | null {
  const trimmed = text.trim()
  const parts = trimmed.length <= maxLength && /^(\D*)(\d(?:[\d.,'’\s]*\d)?)(\D*)$/.exec(trimmed)
  if (!parts) return null
  const [, before = '', digits = '', after = ''] = parts
  const number = digits.replace(/\s/g, ' ').replaceAll('’', "'")
  // `45,-` is an even amount, and `.50` less than one.
  const end = after.replace(/^[.,][-–—]{0,2}/, '').trim()
  const start = before.trim()
  const isFraction = /(?:^|[^A-Z])[.,]$/i.test(before) && /^\d{1,2}$/.test(number)
  const names = [isFraction ? start.slice(0, -1).trim() : start, end].filter(Boolean)
  const [sign = ''] = names
  if (names.length > 1 || (sign !== '' && !isSign(sign))) return null
  const key = sign.toUpperCase()
  const currency = currencies[key] ?? (/^[A-Z]{3}$/.test(key) ? key : null)
  return { number: isFraction ? `0.${number}` : number, sign, currency }
}

const isSign = (sign: string) => sign.toUpperCase() in currencies || /^[A-Z]{3}$/i.test(sign)

/** `1.234` and `1,234`: the only sign may separate thousands or decimals. */
const isUnclear = (number: string) => /^[1-9]\d{0,2}[.,]\d{3}$/.test(number)

function groupsThousands({ number, sign }: Amount, style: NumberStyle | null): boolean {
  const decimals = style ?? (pointSigns.includes(sign.toUpperCase()) ? 'point' : null)
  return decimals !== null && number.includes(decimals === 'point' ? ',' : '.')
}

/** Returns a decimal such as `1250.5`. Leaves an unclear one such as `1.250`, which the currency may decide. */
function plainNumber(amount: Amount, style: NumberStyle | null): string | null {
  const { number } = amount
  if (isUnclear(number)) {
    if (groupsThousands(amount, style)) return number.replace(/[.,]/, '')
    return number.includes('.') ? number : null
  }
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
