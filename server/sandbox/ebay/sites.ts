/** eBay's sites by the name in `Item.Site`: the id of the request's header, and the currency of its listings. */
const sites: Record<string, { id: string; currency: string }> = {
  US: { id: '0', currency: 'USD' },
  Canada: { id: '2', currency: 'CAD' },
  UK: { id: '3', currency: 'GBP' },
  Australia: { id: '15', currency: 'AUD' },
  Austria: { id: '16', currency: 'EUR' },
  Belgium_French: { id: '23', currency: 'EUR' },
  France: { id: '71', currency: 'EUR' },
  Germany: { id: '77', currency: 'EUR' },
  eBayMotors: { id: '100', currency: 'USD' },
  Italy: { id: '101', currency: 'EUR' },
  Belgium_Dutch: { id: '123', currency: 'EUR' },
  Netherlands: { id: '146', currency: 'EUR' },
  Spain: { id: '186', currency: 'EUR' },
  Switzerland: { id: '193', currency: 'CHF' },
  HongKong: { id: '201', currency: 'HKD' },
  India: { id: '203', currency: 'INR' },
  Ireland: { id: '205', currency: 'EUR' },
  Malaysia: { id: '207', currency: 'MYR' },
  CanadaFrench: { id: '210', currency: 'CAD' },
  Philippines: { id: '211', currency: 'PHP' },
  Poland: { id: '212', currency: 'PLN' },
  Singapore: { id: '216', currency: 'SGD' },
}

export const knownSites: ReadonlySet<string> = new Set(Object.values(sites).map(({ id }) => id))

/** Returns the id of a site by its name; that of eBay US for an unknown one. */
export const siteIdOf = (name = 'US'): string => sites[name]?.id ?? '0'

/** Returns the name of a site by its id; undefined for an unknown one. */
export const siteNameOf = (id: string): string | undefined =>
  Object.entries(sites).find(([, site]) => site.id === id)?.[0]

/** Returns the currency of a site by its id; undefined for an unknown one. */
export const currencyOfSite = (id: string): string | undefined =>
  Object.values(sites).find((site) => site.id === id)?.currency
