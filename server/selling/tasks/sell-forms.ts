import type { ExtensionSlug } from '#shared/platforms.ts'

/** Where the seller lists on the platforms that only they can list on (platforms 4 to 6). */
export const sellForms: Record<ExtensionSlug, string> = {
  poshmark: 'https://poshmark.com/create-listing',
  mercari: 'https://www.mercari.com/sell/',
  depop: 'https://www.depop.com/products/create/',
}
