import type { Fee } from '#server/integrations/port.ts'

/** Returns Etsy's fees. Source: Etsy's "Fees & Payments Policy", read 2026-11. */
export function etsyFees(): Fee[] {
  return [
    {
      code: 'listing_fee',
      charged: 'on_listing',
      certain: true,
      amount_minor: 20,
      currency: 'USD',
      message: 'Etsy charges $0.20 for four months as soon as the listing is up.',
    },
    {
      code: 'sale_fee',
      charged: 'on_sale',
      certain: true,
      amount_minor: null,
      currency: null,
      message: 'Etsy takes 6.5 % of price and shipping when the item sells, and a fee for the payment.',
    },
  ]
}
