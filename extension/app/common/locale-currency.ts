import countryToCurrency from 'country-to-currency'

/** Returns the currency of the first locale that names a country (`en-GB`); USD if none does. */
export function currencyOfLocales(locales: readonly string[]): string {
  for (const locale of locales) {
    const { region } = new Intl.Locale(locale)
    if (region !== undefined && Object.hasOwn(countryToCurrency, region)) {
      return countryToCurrency[region as keyof typeof countryToCurrency]
    }
  }
  return 'USD'
}
