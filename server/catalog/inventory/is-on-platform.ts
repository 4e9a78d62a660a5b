import type { PlatformSlug } from '#shared/platforms.ts'

/** Domains on which each platform shows listings and shops, with their subdomains. */
const domains: Record<PlatformSlug, readonly string[]> = {
  ebay: [
    ...['ebay.com', 'ebay.ca', 'ebay.co.uk', 'ebay.ie', 'ebay.de', 'ebay.at', 'ebay.ch', 'ebay.fr', 'ebay.it'],
    ...['ebay.es', 'ebay.nl', 'ebay.be', 'ebay.pl', 'ebay.ph', 'ebay.com.au', 'ebay.com.hk', 'ebay.com.my'],
    'ebay.com.sg',
  ],
  etsy: ['etsy.com'],
  poshmark: ['poshmark.com', 'poshmark.ca', 'poshmark.com.au', 'poshmark.in'],
  mercari: ['mercari.com'],
  depop: ['depop.com'],
}

/**
 * Returns whether an address is one of the platform's own pages, so that a public page may link to it. A reported
 * address could lead to any site. `allowLoopback`: the sandbox runs the platforms locally.
 */
export function isOnPlatform(
  address: string,
  platform: string,
  { allowLoopback }: { allowLoopback: boolean },
): boolean {
  const url = URL.parse(address)
  if (!url) return false
  if (allowLoopback && ['127.0.0.1', 'localhost', '[::1]'].includes(url.hostname)) return true
  const own = Object.hasOwn(domains, platform) ? domains[platform as PlatformSlug] : []
  return url.protocol === 'https:' && own.some((one) => url.hostname === one || url.hostname.endsWith(`.${one}`))
}
