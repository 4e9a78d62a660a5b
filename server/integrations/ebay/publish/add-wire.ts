import { z } from 'zod'
import { list, optional, Text } from '../wire.ts'

/* Answers of the Trading calls that publish, and of the one that names a site's shipping services. */

const Amount = z.object({ '#text': z.string(), '@currencyID': z.string().optional() })

/** AddFixedPriceItem and VerifyAddFixedPriceItem, which names no item. */
export const AddAnswer = z.object({
  ItemID: optional(Text),
  Fees: optional(z.object({ Fee: list(z.object({ Name: Text, Fee: Amount.catch({ '#text': '' }) })) })),
})

export const ShippingServices = z.object({
  ShippingServiceDetails: list(
    z.object({
      ShippingService: Text,
      Description: optional(Text),
      ServiceType: list(Text),
      ShippingCategory: optional(Text),
      ValidForSellingFlow: optional(Text),
      InternationalService: optional(Text),
    }),
  ),
})
