import { text } from '#extension/i18n/text.ts'
import { currencyExponent, minorFromDecimal } from '#shared/money.ts'

/** Formats a time of today as clock time, any other with its date, in the seller's locale. */
export function whenText(at: number, now = Date.now()): string {
  const today = new Date(at).toDateString() === new Date(now).toDateString()
  return (today ? clock : dayAndClock).format(at)
}

/** Formats a day with its year, such as "Nov 28, 2026", in the seller's locale. */
export const dateText = (time: string): string => date.format(Date.parse(time))

/** Formats a day, such as "Sat, Nov 28", in the seller's locale. */
export const dayText = (time: string): string => day.format(Date.parse(time))

// Creating a formatter costs far more than using it, and tables format every row.
const clock = new Intl.DateTimeFormat(undefined, { timeStyle: 'short' })
const dayAndClock = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' })
const day = new Intl.DateTimeFormat(undefined, { weekday: 'short', month: 'short', day: 'numeric' })
const weekday = new Intl.DateTimeFormat(undefined, { weekday: 'long' })
const date = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium' })
const relative = new Intl.RelativeTimeFormat(undefined, { numeric: 'auto', style: 'short' })
const currencies = new Set(Intl.supportedValuesOf('currency'))
const moneys = new Map<string, Intl.NumberFormat>()

/** Formats a past time as "2 min. ago". Under a minute it says "just now", or counts seconds if `exact`. */
export function agoText(at: number, now = Date.now(), exact = false): string {
  const seconds = Math.round((at - now) / 1_000)
  for (const [unit, size] of units) {
    if (Math.abs(seconds) >= size) return relative.format(Math.trunc(seconds / size), unit)
  }
  return exact ? relative.format(seconds > 0 ? seconds : Math.min(seconds, -1), 'second') : text('just_now')
}

/** Formats a past time as what "since" goes with: "10:05" today, "Tuesday" within six days, else the date. */
export function sinceText(at: number, now = Date.now()): string {
  if (new Date(at).toDateString() === new Date(now).toDateString()) return clock.format(at)
  return now - at < 6 * 86_400_000 ? weekday.format(at) : date.format(at)
}

/** Formats a future time as "in 5 min.". */
export function inText(at: number, now = Date.now()): string {
  return agoText(Math.max(at, now + 1_000), now, true)
}

const units = [
  ['year', 31_557_600],
  ['month', 2_629_800],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
] as const

/** Formats minor units as money. Appends the code of a currency that the browser does not know. */
export function moneyText(minor: number, currency: string): string {
  const amount = minor / 10 ** currencyExponent(currency)
  try {
    const format = moneys.get(currency) ?? new Intl.NumberFormat(undefined, { style: 'currency', currency })
    moneys.set(currency, format)
    return format.format(amount)
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    return `${amount} ${currency}`
  }
}

/** Formats an amount in decimals as money. It stays as it is without a currency that it is an amount of. */
export function decimalText(decimal: string, currency: string | null): string {
  const minor = currency && minorFromDecimal(decimal, currency)
  return typeof minor === 'number' && currency ? moneyText(minor, currency) : decimal
}

/** Formats the amounts in a text of the server, such as "Listed on eBay for 24.50 EUR", for the seller's locale. */
export function withLocalMoney(text: string): string {
  return text.replace(
    /(?<![\w.,-])(\d{1,12}(?:\.\d{1,3})?) ([A-Z]{3})(?![\w-])/g,
    (whole, decimal: string, currency: string) => {
      const minor = currencies.has(currency) ? minorFromDecimal(decimal, currency) : null
      return minor === null ? whole : moneyText(minor, currency)
    },
  )
}

/** Returns the seller's own date of a time, as 2026-11-24. */
export function dayOf(at: number | Date): string {
  const date = new Date(at)
  const parts = [date.getFullYear(), date.getMonth() + 1, date.getDate()]
  return parts.map((part) => String(part).padStart(2, '0')).join('-')
}

/** Formats a length of time in ms in its largest unit: "4 sec". */
export function durationText(ms: number): string {
  const [unit, size] = units.find(([, seconds]) => ms >= seconds * 1_000) ?? ['second', 1]
  const value = Math.max(1, Math.round(ms / (size * 1_000)))
  return new Intl.NumberFormat(undefined, { style: 'unit', unit, unitDisplay: 'short' }).format(value)
}
