import { z } from 'zod'
import { ListingOptions } from '#shared/contract/listings.ts'
import { minorFromDecimal } from '#shared/money.ts'

const text = z.string().trim().min(1).max(200)

/** The file that describes the test item: everything that a marketplace requires and that cannot be invented. */
export const TestItem = z
  .strictObject({
    /** Keywords of a category: "film camera". */
    thing: text.max(40),
    /** A public https address. */
    picture: z.url({ protocol: /^https?$/ }),
    price: z.string(),
    new_price: z.string(),
    currency: z.string().regex(/^[A-Z]{3}$/),
    condition: text.default('Used'),
    attributes: z.record(z.string(), z.unknown()).default({}),
    address: z.strictObject({
      full_name: text,
      line1: text,
      line2: text.optional(),
      city: text,
      region: text.optional(),
      postal_code: text,
      country: z.string().regex(/^[A-Z]{2}$/),
    }),
    /** Choices that a marketplace does not suggest: policies, profiles, aspects. */
    options: z.partialRecord(z.enum(['ebay', 'etsy']), ListingOptions).default({}),
  })
  .transform((item, context) => {
    const price_minor = minorFromDecimal(item.price, item.currency)
    const new_price_minor = minorFromDecimal(item.new_price, item.currency)
    if (price_minor === null || new_price_minor === null || price_minor === new_price_minor) {
      context.addIssue({ code: 'custom', path: ['new_price'], message: 'two different prices are needed' })
      return z.NEVER
    }
    return { ...item, price_minor, new_price_minor }
  })
export type TestItem = z.output<typeof TestItem>
