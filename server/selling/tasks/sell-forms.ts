import type { ExtensionSlug } from '#shared/platforms.ts'

/** Sell forms of the platforms without a listing API. */
export const sellForms: Record<ExtensionSlug, string> = {
  poshmark: 'https://poshmark.com/create-listing',
  mercari: 'https://www.mercari.com/sell/',
  depop: 'https://www.depop.com/products/create/',
}
