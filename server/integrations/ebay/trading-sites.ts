/** Ids of eBay's sites by the name in `Item.Site`. A price is revised on the site of its listing, or eBay refuses it. */
const siteIds: Record<string, string> = {
  US: '0',
  Canada: '2',
  UK: '3',
  Australia: '15',
  Austria: '16',
  Belgium_French: '23',
  France: '71',
  Germany: '77',
  eBayMotors: '100',
  Italy: '101',
  Belgium_Dutch: '123',
  Netherlands: '146',
  Spain: '186',
  Switzerland: '193',
  Taiwan: '196',
  HongKong: '201',
  India: '203',
  Ireland: '205',
  Malaysia: '207',
  CanadaFrench: '210',
  Philippines: '211',
  Poland: '212',
  Russia: '215',
  Singapore: '216',
  Sweden: '218',
  China: '223',
}

/** Returns the id of a site. Without a known site it is eBay US, which returns listings of all sites. */
export function siteIdOf(site: string | null | undefined): string {
  return siteIds[site ?? ''] ?? '0'
}
