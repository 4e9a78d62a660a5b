import { currencyExponent, decimalFromMinor } from '#shared/money.ts'

/*
 * Etsy takes prices from 0.20 to 50,000 US dollars, in the currency of the shop at its own rate of the day. Etsy's
 * developers confirmed both bounds, and sellers saw 0.18 euros and 4,420 dong as the least (github.com/etsy/open-api,
 * issues 309, 419 and 459). Other bounds follow from rates, so only prices far beyond them are blocked, and Etsy
 * decides about the rest.
 */

const dollars = { least: 0.2, most: 50_000 }

/** The share by which rates may move until this table is renewed. */
const tolerance = 0.1

/** Units of a currency for a dollar: market rates of October 2025, rounded. */
const perDollar: Record<string, number> = {
  AUD: 1.54,
  CAD: 1.4,
  CHF: 0.8,
  CZK: 21,
  DKK: 6.46,
  EUR: 0.866,
  GBP: 0.754,
  HKD: 7.77,
  HUF: 337,
  IDR: 16_590,
  ILS: 3.26,
  INR: 88.8,
  JPY: 152,
  MAD: 9.15,
  MXN: 18.5,
  MYR: 4.23,
  NOK: 10.2,
  NZD: 1.75,
  PHP: 58.2,
  PLN: 3.69,
  SEK: 9.5,
  SGD: 1.3,
  THB: 32.6,
  TRY: 41.8,
  TWD: 30.7,
  VND: 26_350,
  ZAR: 17.3,
}

/** Least prices that sellers saw, in minor units. */
const seenLeast: Record<string, number> = { EUR: 18, VND: 4_420 }

/** Returns the least and the highest price in minor units; null for a currency whose bounds are not known. */
function priceBounds(currency: string): { least: number; most: number } | null {
  if (currency === 'USD') return { least: dollars.least * 100, most: dollars.most * 100 }
  const rate = perDollar[currency]
  if (rate === undefined) return null
  const scale = rate * 10 ** currencyExponent(currency)
  const least = Math.ceil(dollars.least * scale * (1 - tolerance))
  return { least: seenLeast[currency] ?? least, most: Math.floor(dollars.most * scale * (1 + tolerance)) }
}

/** Returns what is wrong with a price on Etsy; null for nothing. */
export function priceFault(
  price_minor: number,
  currency: string,
): { code: 'price_too_low' | 'invalid_price'; message: string } | null {
  const bounds = priceBounds(currency)
  if (!bounds) return null
  const inWords = (minor: number) => `${decimalFromMinor(minor, currency)} ${currency}`
  const about = currency === 'USD' ? '' : 'about '
  if (price_minor < bounds.least) {
    const message = `Etsy takes prices from ${about}${inWords(bounds.least)} up.`
    return { code: 'price_too_low', message }
  }
  if (price_minor <= bounds.most) return null
  const most = currency === 'USD' ? inWords(bounds.most) : '50000.00 USD in your currency'
  return { code: 'invalid_price', message: `Etsy takes prices up to ${most}.` }
}
