import { currencyExponent } from '#shared/money.ts'

/** Clock time of today, else day and time, in the seller's manner. */
export function whenText(at: number, now = Date.now()): string {
  const today = new Date(at).toDateString() === new Date(now).toDateString()
  return (today ? clock : dayAndClock).format(at)
}

// Making a formatter takes many times as long as using it, and tables use them for every row.
const clock = new Intl.DateTimeFormat(undefined, { timeStyle: 'short' })
const dayAndClock = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' })
const relative = new Intl.RelativeTimeFormat(undefined, { numeric: 'auto', style: 'short' })
const moneys = new Map<string, Intl.NumberFormat>()

/** How long ago, in the largest unit that fits ("2 min. ago"); less than a minute is now, or is counted (`exact`). */
export function agoText(at: number, now = Date.now(), exact = false): string {
  const seconds = Math.round((at - now) / 1_000)
  for (const [unit, size] of units) {
    if (Math.abs(seconds) >= size) return relative.format(Math.round(seconds / size), unit)
  }
  return relative.format(exact ? Math.min(seconds, -1) : 0, 'second')
}

/** How long ago in the fewest letters ("3h"). */
export function ageText(at: number, now = Date.now()): string {
  const seconds = Math.max(0, Math.round((now - at) / 1_000))
  const [unit, size] = units.find(([, size]) => seconds >= size) ?? (['second', 1] as const)
  return new Intl.NumberFormat(undefined, { style: 'unit', unit, unitDisplay: 'narrow' }).format(
    Math.floor(seconds / size),
  )
}

const units = [
  ['year', 31_557_600],
  ['month', 2_629_800],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
] as const

/** Minor units as money. A currency that the browser does not know is written behind the number. */
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
