import type { PageProbe } from '../port.ts'

/**
 * Data that a content script reads on poshmark.com. The `ui` cookie (URL-encoded JSON `{uid, dh, ...}`) has the username
 * and is readable by scripts, unlike the session cookie. The header has the listing count (2024 to 2026 layouts).
 */
export const poshmarkProbe = {
  platform: 'Poshmark',
  cookies: ['ui'],
  texts: { listings_count: '[data-test="closet_listings_count"]' },
} satisfies PageProbe

/** Tiles of a closet page, used without state. Class names change with A/B tests, data attributes rarely. */
export const tiles = {
  /** The tile's link, which carries the id in data-et-prop-listing_id. */
  link: 'a[data-et-name="listing"][data-et-prop-listing_id]',
  idAttribute: 'data-et-prop-listing_id',
  title: '.tile__title',
} as const
