import type { ExtensionSlug } from './platforms.ts'

/** Most photos that a platform's sell form accepts. */
export const formPhotos: Record<ExtensionSlug, number> = { poshmark: 16, mercari: 12, depop: 8 }

/** Most characters of a listing's title, in UTF-16 units. Listings on Depop have none. */
export const titleMax = { ebay: 80, etsy: 140, poshmark: 80, mercari: 80 } as const
/** The shortest of them: no marketplace cuts a title before. */
export const shortestTitleMax = Math.min(...Object.values(titleMax))
