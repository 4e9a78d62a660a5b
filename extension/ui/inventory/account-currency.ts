import { send } from '#extension/messaging/send.ts'
import { currencyOfCountry } from '#shared/country-currency.ts'

/**
 * Returns the currency to propose for a new item: the account's own, else that of the browser's country. Items never
 * decide it, because a single foreign item would price the next one in its currency.
 */
export async function proposedCurrency(): Promise<string> {
  const { currency } = await send('inventory.currency', {})
  return currency ?? currencyOfLocales(navigator.languages)
}

/** Returns the currency of the first locale that names a country (`en-GB`); USD if none does. */
export function currencyOfLocales(locales: readonly string[]): string {
  for (const locale of locales) {
    const country = new Intl.Locale(locale).region
    const currency = country === undefined ? null : currencyOfCountry(country)
    if (currency !== null) return currency
  }
  return 'USD'
}
