/**
 * Elements of a product's page, for when its JSON is not understood. No capture of such a page was found: the
 * description of the product for search engines (JSON-LD) is what shops of all makes keep longest.
 */
export const product = {
  jsonLd: 'script[type="application/ld+json"]',
} as const

/** Links to products: the one selector that has stayed through all layouts (seen live 2026-07). */
export const productLink = 'a[href*="/products/"]'
