import type { PageProbe } from '../port.ts'

/**
 * What a content script reads on poshmark.com: the `ui` cookie (URL-encoded JSON {uid, dh, ...}; readable by scripts,
 * unlike the session itself) says who is signed in, the count stands in the closet's header (2024 to 2026 layouts).
 */
export const poshmarkProbe = {
  platform: 'Poshmark',
  cookies: ['ui'],
  texts: { listings_count: '[data-test="closet_listings_count"]' },
} satisfies PageProbe

/** Tiles of a closet page, for when the state is not there. Classes change with A/B tests, data attributes least. */
export const tiles = {
  /** Link of a tile: carries the id in data-et-prop-listing_id. */
  link: 'a[data-et-name="listing"][data-et-prop-listing_id]',
  idAttribute: 'data-et-prop-listing_id',
  title: '.tile__title',
} as const
