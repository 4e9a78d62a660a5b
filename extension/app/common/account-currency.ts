import { call } from '../host.ts'
import { currencyOfLocales } from './locale-currency.ts'

/**
 * Returns the currency to propose for a new item: the account's own, else that of the browser's country. Items never
 * decide it, because a single foreign item would price the next one in its currency.
 */
export async function proposedCurrency(): Promise<string> {
  const { currency } = await call('getAccountCurrency', {})
  return currency ?? currencyOfLocales(navigator.languages)
}
