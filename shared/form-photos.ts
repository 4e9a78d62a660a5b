import type { ExtensionSlug } from './platforms.ts'

/** Most photos that a platform's sell form accepts. */
export const formPhotos: Record<ExtensionSlug, number> = { poshmark: 16, mercari: 12, depop: 8 }
