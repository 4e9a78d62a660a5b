/** An eBay site as the REST APIs name it. */
export interface Marketplace {
  id: string
  name: string
  /** Language of the site's listings, for Content-Language. */
  language: string
  /** The site's other language, in which some sellers list. */
  second?: string
  currency: string
  /** Its name in the Trading API, one for each language. */
  trading: readonly string[]
}

const sites: Record<string, Marketplace> = Object.fromEntries(
  (
    [
      ['US', 'US', 'eBay US', 'en-US', 'USD'],
      ['GB', 'UK', 'eBay UK', 'en-GB', 'GBP'],
      ['DE', 'Germany', 'eBay Germany', 'de-DE', 'EUR'],
      ['FR', 'France', 'eBay France', 'fr-FR', 'EUR'],
      ['IT', 'Italy', 'eBay Italy', 'it-IT', 'EUR'],
      ['ES', 'Spain', 'eBay Spain', 'es-ES', 'EUR'],
      ['AT', 'Austria', 'eBay Austria', 'de-AT', 'EUR'],
      ['BE', 'Belgium_Dutch', 'eBay Belgium', 'nl-BE', 'EUR', 'fr-BE', 'Belgium_French'],
      ['NL', 'Netherlands', 'eBay Netherlands', 'nl-NL', 'EUR'],
      ['IE', 'Ireland', 'eBay Ireland', 'en-IE', 'EUR'],
      ['CH', 'Switzerland', 'eBay Switzerland', 'de-CH', 'CHF'],
      ['PL', 'Poland', 'eBay Poland', 'pl-PL', 'PLN'],
      ['CA', 'Canada', 'eBay Canada', 'en-CA', 'CAD', 'fr-CA', 'CanadaFrench'],
      ['AU', 'Australia', 'eBay Australia', 'en-AU', 'AUD'],
      ['HK', 'HongKong', 'eBay Hong Kong', 'zh-HK', 'HKD'],
    ] as const
  ).map(([country, trading, name, language, currency, second, other]) => [
    country,
    {
      id: `EBAY_${country}`,
      ...{ name, language, currency, trading: [trading, ...(other ? [other] : [])] },
      ...(second ? { second } : {}),
    },
  ]),
)

/** Returns the sites that list in a currency, the seller's country first. */
export function marketplacesFor(currency: string, country: string): Marketplace[] {
  const fitting = Object.values(sites).filter((site) => site.currency === currency)
  const own = fitting.find((site) => site.id === `EBAY_${country}`)
  return own ? [own, ...fitting.filter((site) => site !== own)] : fitting
}

/** Returns all sites, the seller's country first. */
export function marketplacesFrom(country: string): Marketplace[] {
  const all = Object.values(sites)
  const own = sites[country]
  return own ? [own, ...all.filter((site) => site !== own)] : all
}

/** Returns the currency of a site; null for an unknown site. */
export function currencyOf(marketplaceId: string): string | null {
  return sites[marketplaceId.replace(/^EBAY_/, '')]?.currency ?? null
}

/** Returns the language of a site (`de-DE`); American English for an unknown site. */
export function languageOf(marketplaceId: string | null | undefined): string {
  return sites[(marketplaceId ?? '').replace(/^EBAY_/, '')]?.language ?? 'en-US'
}

/** Returns the languages in which sellers list on a site, its usual one first. */
export function languagesOf(marketplaceId: string): string[] {
  const { second } = sites[marketplaceId.replace(/^EBAY_/, '')] ?? {}
  return [languageOf(marketplaceId), ...(second ? [second] : [])]
}

/** Returns the name of a site, in one of its languages, in the Trading API: `Item.Site`. */
export function tradingSiteOf(marketplaceId: string, language: string): string | undefined {
  const { trading = [] } = sites[marketplaceId.replace(/^EBAY_/, '')] ?? {}
  return trading[languagesOf(marketplaceId).indexOf(language)] ?? trading[0]
}

/**
 * Returns the language headers of every request to eBay, some of whose APIs refuse others (error 25709). Node's fetch
 * sends `Accept-Language: *` by default.
 */
export function languageHeaders(language = 'en-US'): { 'accept-language': string; 'content-language': string } {
  return { 'accept-language': language, 'content-language': language }
}
