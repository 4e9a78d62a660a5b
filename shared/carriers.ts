/** Carriers, each with its name for people and on the marketplaces that take tracking from Hapax. */
export const carriers = [
  { slug: 'usps', name: 'USPS', ebay: 'USPS', etsy: 'usps' },
  { slug: 'ups', name: 'UPS', ebay: 'UPS', etsy: 'ups' },
  { slug: 'fedex', name: 'FedEx', ebay: 'FedEx', etsy: 'fedex' },
  { slug: 'dhl', name: 'DHL', ebay: 'DHL', etsy: 'dhl' },
  { slug: 'canada_post', name: 'Canada Post', ebay: 'CPC', etsy: 'canada-post' },
  { slug: 'royal_mail', name: 'Royal Mail', ebay: 'RoyalMail', etsy: 'royal-mail' },
  { slug: 'deutsche_post', name: 'Deutsche Post', ebay: 'DeutschePost', etsy: 'deutsche-post' },
  { slug: 'australia_post', name: 'Australia Post', ebay: 'AustraliaPost', etsy: 'australia-post' },
  { slug: 'other', name: 'Other', ebay: 'Other', etsy: 'other' },
] as const

export type CarrierSlug = (typeof carriers)[number]['slug']

/** Returns our carrier for a marketplace's name of it; the name itself for any other. */
export function carrierNamed(name: string): string {
  const same = (one: string) => one.toLowerCase() === name.trim().toLowerCase()
  return carriers.find(({ slug, ebay, etsy }) => same(slug) || same(ebay) || same(etsy))?.slug ?? name.trim()
}

/** Returns a carrier's name for people, also of one that only the marketplace knows. */
export const carrierName = (carrier: string): string => carriers.find(({ slug }) => slug === carrier)?.name ?? carrier

/** Returns a tracking number as marketplaces take it: without the spaces and hyphens of a label. */
export const plainTracking = (text: string): string => text.replace(/[\s-]+/g, '').toUpperCase()

/** Forms of tracking numbers that one carrier has. */
const forms: [RegExp, CarrierSlug][] = [
  [/^1Z[0-9A-Z]{16}$/, 'ups'],
  [/^(9[1-5]\d{18,24}|[A-Z]{2}\d{9}US)$/, 'usps'],
  [/^[A-Z]{2}\d{9}CA$/, 'canada_post'],
  [/^[A-Z]{2}\d{9}GB$/, 'royal_mail'],
  [/^(\d{12}|\d{15})$/, 'fedex'],
]

/** Returns the carrier that a tracking number shows by its form; null for none. */
export function carrierOf(tracking: string): CarrierSlug | null {
  return forms.find(([form]) => form.test(plainTracking(tracking)))?.[1] ?? null
}
