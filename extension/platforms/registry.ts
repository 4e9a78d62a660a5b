import type { ExtensionSlug } from '#shared/platforms.ts'
import { depop } from './depop/index.ts'
import { mercari } from './mercari/index.ts'
import type { ScrapePlatform } from './port.ts'
import { poshmark } from './poshmark/index.ts'

/** All platforms that the extension can read. A new platform is a folder and an entry here. */
export const scrapePlatforms: readonly ScrapePlatform[] = [poshmark, mercari, depop]

/** Returns the platform of a slug, or null if this version cannot read it. */
export function scrapePlatformOf(slug: ExtensionSlug): ScrapePlatform | null {
  return scrapePlatforms.find((platform) => platform.slug === slug) ?? null
}
