import type { Fee } from '#server/integrations/port.ts'

/** Whether Etsy charges for putting a listing up; `unknown` where the state of an earlier listing is. */
export type ListingCharge = 'charged' | 'free' | 'unknown'

/**
 * Returns Etsy's fees. Each listing costs $0.20 for four months. An inactive listing whose four months are not over goes
 * up again free of charge. Source: Etsy's "Fees & Payments Policy", read 2026-11.
 */
export function etsyFees(charge: ListingCharge): Fee[] {
  const listingFee: Fee = {
    code: 'listing_fee',
    charged: 'on_listing',
    certain: charge === 'charged',
    amount_minor: 20,
    currency: 'USD',
    message:
      charge === 'charged'
        ? 'Etsy charges $0.20 for four months as soon as the listing is up.'
        : 'Etsy charges $0.20 for four months, unless the earlier listing has not expired.',
  }
  const saleFee: Fee = {
    code: 'sale_fee',
    charged: 'on_sale',
    certain: true,
    amount_minor: null,
    currency: null,
    message: 'Etsy takes 6.5 % of price and shipping when the item sells, and a fee for the payment.',
  }
  return charge === 'free' ? [saleFee] : [listingFee, saleFee]
}
