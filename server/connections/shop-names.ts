import { type PlatformSlug, platformOf } from '#shared/platforms.ts'

/** Shops as their owner knows them: `vintage_vera (eBay)`. */
export function shopNames(shops: { platform: PlatformSlug; external_name: string }[]): string[] {
  return shops.map(({ platform, external_name }) => `${external_name} (${platformOf(platform).name})`)
}
