import { type PlatformSlug, platformDomains } from '#shared/platforms.ts'

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
  const own = Object.hasOwn(platformDomains, platform) ? platformDomains[platform as PlatformSlug] : []
  return url.protocol === 'https:' && own.some((one) => url.hostname === one || url.hostname.endsWith(`.${one}`))
}
