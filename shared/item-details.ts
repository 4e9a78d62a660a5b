import { z } from 'zod'

export { type DetailOption, detailOptions, type ProductIdentifier, productIdentifiers } from './detail-options.ts'

/** Weight of the packed item. */
export const WeightGrams = z.int().min(1).max(1_000_000)

/** Size of the packed item; the length is its longest side, as carriers define it. */
export const Parcel = z.strictObject({
  length_mm: z.int().min(1).max(10_000),
  width_mm: z.int().min(1).max(10_000),
  height_mm: z.int().min(1).max(10_000),
})
export type Parcel = z.infer<typeof Parcel>

const Contact = z.strictObject({
  name: z.string().min(1).max(100),
  line1: z.string().min(1).max(180),
  line2: z.string().max(180).optional(),
  city: z.string().min(1).max(64),
  region: z.string().max(64).optional(),
  postal_code: z.string().min(1).max(9),
  country: z.string().regex(/^[A-Z]{2}$/, 'must be two capital letters'),
  email: z.email().max(180).optional(),
  phone: z.string().max(64).optional(),
})

/** Companies responsible for a product in the EU, which business sellers there must name. */
export const Regulatory = z.strictObject({ manufacturer: Contact.optional(), responsible_person: Contact.optional() })
export type Regulatory = z.infer<typeof Regulatory>
