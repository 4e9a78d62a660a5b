import type { ExtensionSlug } from '#shared/platforms.ts'
import { depop } from './depop/index.ts'
import { mercari } from './mercari/index.ts'
import type { ScrapePlatform } from './port.ts'
import { poshmark } from './poshmark/index.ts'

/** Every platform that this version can read. A new one is its own folder and a line here. */
export const scrapePlatforms: readonly ScrapePlatform[] = [poshmark, mercari, depop]

/** The platform a page belongs to, by the address's origin; null for any other page. */
export function platformAt(url: string): ScrapePlatform | null {
  const origin = URL.parse(url)?.origin
  return scrapePlatforms.find((platform) => origin !== undefined && platform.origins.includes(origin)) ?? null
}

/** The platform of a slug; null when this version cannot read it. */
export function scrapePlatformOf(slug: ExtensionSlug): ScrapePlatform | null {
  return scrapePlatforms.find((platform) => platform.slug === slug) ?? null
}
