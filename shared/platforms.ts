import { z } from 'zod'

/** The selling platforms. How a platform is reached is data here, so a platform that opens an API changes one line. */
export const platforms = [
  {
    uid: 'plt_ebay',
    slug: 'ebay',
    name: 'eBay',
    url: 'https://www.ebay.com',
    connection: 'oauth',
    capabilities: { import: 'api', list: 'api', orders: true, edit: ['price', 'title', 'description', 'images'] },
    import_states: ['active', 'sold', 'ended'],
    policy_url: 'https://www.ebay.com/help/policies/member-behaviour-policies/user-agreement?id=4259',
  },
  {
    uid: 'plt_etsy',
    slug: 'etsy',
    name: 'Etsy',
    url: 'https://www.etsy.com',
    connection: 'oauth',
    capabilities: { import: 'api', list: 'api', orders: true, edit: ['price', 'title', 'description', 'images'] },
    import_states: ['active', 'inactive', 'sold', 'ended'],
    policy_url: 'https://www.etsy.com/legal/sellers/',
  },
  {
    uid: 'plt_poshmark',
    slug: 'poshmark',
    name: 'Poshmark',
    url: 'https://poshmark.com',
    connection: 'extension',
    capabilities: { import: 'scrape', list: 'manual', orders: false, edit: [] },
    import_states: ['active', 'sold'],
    policy_url: 'https://support.poshmark.com/s/article/What-is-Poshmark-s-return-policy',
  },
  {
    uid: 'plt_mercari',
    slug: 'mercari',
    name: 'Mercari',
    url: 'https://www.mercari.com',
    connection: 'extension',
    capabilities: { import: 'scrape', list: 'manual', orders: false, edit: [] },
    import_states: ['active', 'sold'],
    policy_url: 'https://www.mercari.com/us/help_center/',
  },
  {
    uid: 'plt_depop',
    slug: 'depop',
    name: 'Depop',
    url: 'https://www.depop.com',
    connection: 'extension',
    capabilities: { import: 'scrape', list: 'manual', orders: false, edit: [] },
    import_states: ['active', 'sold'],
    policy_url: 'https://depophelp.zendesk.com/hc/en-gb',
  },
] as const

export type PlatformEntry = (typeof platforms)[number]

// Marked as pure, so that the extension's pages are built without zod.

/** Wire slug of a selling platform. */
export const PlatformSlug = /* @__PURE__ */ z.enum(['ebay', 'etsy', 'poshmark', 'mercari', 'depop'])
export type PlatformSlug = z.infer<typeof PlatformSlug>

/** The registrable domains of each platform's sites. Its pages and mails are on them and below. */
export const platformDomains = {
  ebay: [
    ...['ebay.com', 'ebay.ca', 'ebay.co.uk', 'ebay.ie', 'ebay.de', 'ebay.at', 'ebay.ch', 'ebay.fr', 'ebay.it'],
    ...['ebay.es', 'ebay.nl', 'ebay.be', 'ebay.pl', 'ebay.ph', 'ebay.com.au', 'ebay.com.hk', 'ebay.com.my'],
    'ebay.com.sg',
  ],
  etsy: ['etsy.com'],
  poshmark: ['poshmark.com', 'poshmark.ca', 'poshmark.com.au', 'poshmark.in'],
  mercari: ['mercari.com'],
  depop: ['depop.com'],
} as const satisfies Record<PlatformSlug, readonly string[]>

/** Fields of a live listing that Hapax can change where the platform's API allows it. */
export const ListingField = /* @__PURE__ */ z.enum(['price', 'title', 'description', 'images'])
export type ListingField = z.infer<typeof ListingField>

/** Platforms connected by OAuth, whose listings the server pulls. */
export const OAuthSlug = /* @__PURE__ */ z.enum(['ebay', 'etsy'])
export type OAuthSlug = z.infer<typeof OAuthSlug>

/** Platforms that the extension reads in the seller's own tab. */
export const ExtensionSlug = /* @__PURE__ */ z.enum(['poshmark', 'mercari', 'depop'])
export type ExtensionSlug = z.infer<typeof ExtensionSlug>

/** Marketplaces whose sale mails are recognized, and which Hapax does not connect, with their names. */
export const unconnectedMarketplaces = {
  vinted: 'Vinted',
  whatnot: 'Whatnot',
  facebook: 'Facebook Marketplace',
  grailed: 'Grailed',
} as const
export type UnconnectedSlug = keyof typeof unconnectedMarketplaces

/** Returns the entry of a slug; undefined for an unknown one. */
export function findPlatform(slug: string): PlatformEntry | undefined {
  return platforms.find((platform) => platform.slug === slug)
}

/** Returns the entry of a known slug. */
export function platformOf(slug: PlatformSlug): PlatformEntry {
  return findPlatform(slug)!
}
