/** An eBay site as the REST APIs name it. */
export interface Marketplace {
  id: string
  name: string
  /** Language of the site's listings, for Content-Language. */
  language: string
  /** The site's other language, in which some sellers list. */
  second?: string
  currency: string
}

const sites: Record<string, Marketplace> = Object.fromEntries(
  (
    [
      ['US', 'eBay US', 'en-US', 'USD'],
      ['GB', 'eBay UK', 'en-GB', 'GBP'],
      ['DE', 'eBay Germany', 'de-DE', 'EUR'],
      ['FR', 'eBay France', 'fr-FR', 'EUR'],
      ['IT', 'eBay Italy', 'it-IT', 'EUR'],
      ['ES', 'eBay Spain', 'es-ES', 'EUR'],
      ['AT', 'eBay Austria', 'de-AT', 'EUR'],
      ['BE', 'eBay Belgium', 'nl-BE', 'EUR', 'fr-BE'],
      ['NL', 'eBay Netherlands', 'nl-NL', 'EUR'],
      ['IE', 'eBay Ireland', 'en-IE', 'EUR'],
      ['CH', 'eBay Switzerland', 'de-CH', 'CHF'],
      ['PL', 'eBay Poland', 'pl-PL', 'PLN'],
      ['CA', 'eBay Canada', 'en-CA', 'CAD', 'fr-CA'],
      ['AU', 'eBay Australia', 'en-AU', 'AUD'],
      ['HK', 'eBay Hong Kong', 'zh-HK', 'HKD'],
    ] as const
  ).map(([country, name, language, currency, second]) => [
    country,
    { id: `EBAY_${country}`, name, language, currency, ...(second ? { second } : {}) },
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

/**
 * Returns the language headers of every request to eBay. The Inventory API refuses requests without a valid
 * `Accept-Language` (error 25709), including reads. Node's fetch sends `*` by default.
 */
export function languageHeaders(language = 'en-US'): { 'accept-language': string; 'content-language': string } {
  return { 'accept-language': language, 'content-language': language }
}
