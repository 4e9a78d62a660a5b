import { isCurrency } from '#server/catalog/inventory/read-listing.ts'
import type { FieldError } from '#shared/contract/declaring/errors.ts'
import type { NumberStyle } from '../amounts.ts'

/** Currencies that a sign or word may mean. */
const meanings: Readonly<Record<string, string>> = {
  $: 'USD CAD AUD NZD HKD SGD TWD MXN ARS CLP COP UYU DOP JMD TTD BBD BSD BZD FJD XCD BMD KYD NAD GYD SRD LRD BND SBD',
  ...{ US$: 'USD', C$: 'CAD', CA$: 'CAD', A$: 'AUD', AU$: 'AUD', NZ$: 'NZD', HK$: 'HKD', S$: 'SGD', NT$: 'TWD' },
  ...{ $US: 'USD', $CA: 'CAD', $AU: 'AUD', R: 'ZAR' },
  ...{ MX$: 'MXN', R$: 'BRL', '¥': 'JPY CNY', '￥': 'JPY CNY', 'JP¥': 'JPY', 'CN¥': 'CNY', 円: 'JPY', 元: 'CNY' },
  ...{ '€': 'EUR', EURO: 'EUR', EUROS: 'EUR', '£': 'GBP', 'FR.': 'CHF', 'SFR.': 'CHF', SFR: 'CHF' },
  ...{ KR: 'SEK NOK DKK ISK', 'KR.': 'SEK NOK DKK ISK', ZŁ: 'PLN', ZL: 'PLN', KČ: 'CZK', FT: 'HUF', LEI: 'RON' },
  ...{ 'RS.': 'INR PKR LKR NPR MUR', RS: 'INR PKR LKR NPR MUR', '₹': 'INR', '₩': 'KRW', '₺': 'TRY', '₽': 'RUB' },
  ...{ '₴': 'UAH', '₫': 'VND', '₱': 'PHP', '฿': 'THB', '₪': 'ILS', '₦': 'NGN', RM: 'MYR', RP: 'IDR' },
}

/** Signs of countries that write a point before decimals, and of those that write a comma. */
const styles: Readonly<Record<NumberStyle, ReadonlySet<string>>> = {
  point: new Set('£ US$ C$ CA$ A$ AU$ NZ$ HK$ S$ NT$ MX$ ¥ ￥ JP¥ CN¥ 円 元 RS. RS ₹ ₩ ₱ ฿ ₪ ₦ RM'.split(' ')),
  comma: new Set('R$ KR KR. ZŁ ZL KČ FT LEI ₺ ₽ ₴ RP ₫'.split(' ')),
}

/** A text with a sign or code of a currency, and the currencies that it may mean. */
export interface Sign {
  text: string
  currencies: readonly string[]
}

/** Returns an error for signs of which one cannot mean a currency. */
export function findOtherSigns(signs: readonly Sign[], currency: string): FieldError[] {
  const other = signs.find(({ currencies }) => !currencies.includes(currency))
  if (!other) return []
  const message = `is not ${currency} in "${other.text.slice(0, 50)}". Write amounts in ${currency}, or name their currency in a column "Currency"`
  return [{ field: 'currency', code: 'currency_differs', message }]
}

/** The currencies and the decimals that the signs beside an amount name. */
interface Signs {
  currencies: readonly string[] | null
  style: NumberStyle | null
}

/** Returns what signs and codes beside an amount name together, as in "USD $45"; null where they are none. */
export function readSigns(texts: readonly string[]): Signs | null {
  let currencies: readonly string[] | null = null
  let style: NumberStyle | null = null
  for (const name of texts.flatMap(splitSigns)) {
    const own = currenciesOf(name)
    if (own === null) return null
    const before: readonly string[] = currencies ?? own
    currencies = before.filter((currency) => own.includes(currency))
    if (currencies.length === 0) return null
    style ??= styles.point.has(name) ? 'point' : styles.comma.has(name) ? 'comma' : null
  }
  return { currencies, style }
}

/** Returns the code that a currency's code, sign or name means; null for a plain dollar; undefined for other words. */
export function currencyOf(word: string): string | null | undefined {
  const currencies = currenciesOf(word.trim().toUpperCase())
  return currencies === null ? undefined : currencies.length === 1 ? currencies[0]! : null
}

/** Returns the currencies that a code, sign or name in capital letters may mean; null for other words. */
export function currenciesOf(name: string): readonly string[] | null {
  if (isCurrency(name)) return [name]
  return Object.hasOwn(meanings, name) ? meanings[name]!.split(' ') : null
}

/** Splits "USD $" and "$USD", but not "US $". */
function splitSigns(text: string): string[] {
  const name = text.replace(/\s/g, '').toUpperCase()
  if (name === '') return []
  if (currenciesOf(name) !== null) return [name]
  const [, code, sign, otherSign, otherCode] = /^([A-Z]{3})(\D+)$|^(\D+)([A-Z]{3})$/.exec(name) ?? []
  return code ? [code, sign!] : otherCode ? [otherSign!, otherCode] : [name]
}
