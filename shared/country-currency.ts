import countryToCurrency from 'country-to-currency'

/** Returns the currency of a country, given its ISO 3166-1 alpha-2 code. Null for an unknown country. */
export function currencyOfCountry(country: string): string | null {
  return Object.hasOwn(countryToCurrency, country) ? countryToCurrency[country as keyof typeof countryToCurrency] : null
}
