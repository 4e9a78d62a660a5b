import { type PlatformSlug, platformOf } from '#shared/platforms.ts'

/** Returns the names of platforms as a list in words: "eBay and Etsy". */
export function platformNames(slugs: readonly PlatformSlug[]): string {
  return new Intl.ListFormat('en').format(slugs.map((slug) => platformOf(slug).name))
}
