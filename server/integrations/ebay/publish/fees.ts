import type { Fee, PublishRequest } from '#server/integrations/port.ts'

/** Returns eBay's fees for a private seller without a store. Source: eBay's help page "Selling fees", read 2026-11. */
export function ebayFees({ currency }: Pick<PublishRequest, 'currency'>): Fee[] {
  const isUs = currency === 'USD'
  return [
    {
      code: 'listing_fee',
      charged: 'on_listing',
      certain: false,
      amount_minor: isUs ? 35 : null,
      currency: isUs ? 'USD' : null,
      message: "eBay may charge an insertion fee once the month's free listings are used up.",
    },
    {
      code: 'sale_fee',
      charged: 'on_sale',
      certain: true,
      amount_minor: null,
      currency: null,
      message: 'eBay takes a final value fee of the total when the item sells; the share depends on the category.',
    },
  ]
}
