import { currencyExponent } from '#shared/money.ts'

/** Clock time of today, else day and time, in the seller's manner. */
export function whenText(at: number, now = Date.now()): string {
  const today = new Date(at).toDateString() === new Date(now).toDateString()
  return new Intl.DateTimeFormat(
    undefined,
    today ? { timeStyle: 'short' } : { dateStyle: 'medium', timeStyle: 'short' },
  ).format(at)
}

/** How long ago, in the largest unit that fits ("2 min. ago"). */
export function agoText(at: number, now = Date.now()): string {
  const format = new Intl.RelativeTimeFormat(undefined, { numeric: 'auto', style: 'short' })
  const seconds = Math.round((at - now) / 1_000)
  for (const [unit, size] of units) {
    if (Math.abs(seconds) >= size) return format.format(Math.round(seconds / size), unit)
  }
  return format.format(0, 'second')
}

const units = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
] as const

/** Minor units as money. A currency that the browser does not know is written behind the number. */
export function moneyText(minor: number, currency: string): string {
  const amount = minor / 10 ** currencyExponent(currency)
  try {
    return new Intl.NumberFormat(undefined, { style: 'currency', currency }).format(amount)
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    return `${amount} ${currency}`
  }
}
