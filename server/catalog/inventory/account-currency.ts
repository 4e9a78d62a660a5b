import countryToCurrency from 'country-to-currency'
import type { Queries } from '#server/infra/db/index.ts'
import type { AccountCurrency } from '#shared/contract/catalog/inventory.ts'
import * as sql from './queries.ts'
import { isCurrency } from './read-listing.ts'

/**
 * Returns the currency to propose for an account's new items: of its settings, else of its first connected shop (one of
 * the seller's own country first), else of the country of its primary address. Items never decide it.
 */
export async function findAccountCurrency(queries: Queries, user_id: number): Promise<AccountCurrency> {
  const known = await queries.one(sql.findAccountCurrency({ user_id }))
  const ofCountry = known.country === null ? null : currencyOfCountry(known.country)
  const shops = known.shops.filter(isCurrency)
  const ofShop = shops.find((currency) => currency === ofCountry) ?? shops[0] ?? null
  if (known.default_currency !== null) return { currency: known.default_currency, source: 'settings' }
  if (ofShop !== null) return { currency: ofShop, source: 'shop' }
  if (ofCountry !== null && isCurrency(ofCountry)) return { currency: ofCountry, source: 'address' }
  return { currency: null, source: null }
}

function currencyOfCountry(country: string): string | null {
  return Object.hasOwn(countryToCurrency, country) ? countryToCurrency[country as keyof typeof countryToCurrency] : null
}
