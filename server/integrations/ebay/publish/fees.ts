import type { Fee, PublishRequest } from '#server/integrations/port.ts'
import { marketplacesFor } from '../marketplaces.ts'

/** The fee on a sale as far as it is known, by site. Sources: eBay's help pages about selling fees, read 2026-11. */
const saleFees: Record<string, { certain: boolean; message: string }> = {
  EBAY_US: {
    certain: true,
    message: 'eBay takes a final value fee of the total when the item sells; the share depends on the category.',
  },
  EBAY_GB: {
    certain: false,
    message: 'Private sellers on eBay UK pay no fee when an item sells, since buyers pay one. Business sellers do pay.',
  },
  EBAY_DE: {
    certain: false,
    message: 'Private sellers on eBay Germany pay no fee when an item sells. Business sellers do pay.',
  },
}
const notKnown = { certain: false, message: "eBay's fee on a sale is not known here for this eBay site." }

/** Returns eBay's fees for a seller without a store, as far as they are known for the site. */
export function ebayFees({
  currency,
  address,
  options,
}: Pick<PublishRequest, 'currency' | 'address' | 'options'>): Fee[] {
  const site = String(options.marketplace_id ?? marketplacesFor(currency, address.country)[0]?.id ?? '')
  const isUs = site === 'EBAY_US'
  return [
    {
      code: 'listing_fee',
      charged: 'on_listing',
      certain: false,
      amount_minor: isUs ? 35 : null,
      currency: isUs ? 'USD' : null,
      message: "eBay may charge an insertion fee once the month's free listings are used up.",
    },
    { code: 'sale_fee', charged: 'on_sale', amount_minor: null, currency: null, ...(saleFees[site] ?? notKnown) },
  ]
}
