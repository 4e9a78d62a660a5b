import { z } from 'zod'
import { longestMm, type ParticularName, particularNames, particulars } from './particulars.ts'

export { type ProductIdentifier, productIdentifiers } from './detail-options.ts'

/** Weight of the packed item. */
export const WeightGrams = z.int().min(1).max(1_000_000)

/** Size of the packed item; the length is its longest side, as carriers define it. */
export const Parcel = z.strictObject({
  length_mm: z.int().min(1).max(10_000).describe('The length in millimeters'),
  width_mm: z.int().min(1).max(10_000).describe('The width in millimeters'),
  height_mm: z.int().min(1).max(10_000).describe('The height in millimeters'),
})
export type Parcel = z.infer<typeof Parcel>

/** Measurements and other particulars by their names (particulars.ts): lengths in millimeters, others as text. */
export const Particulars = z.strictObject(
  Object.fromEntries(
    particularNames.map((name) => {
      const { as, label } = particulars[name]
      const value = as === 'text' ? z.string().trim().min(1).max(200) : z.int().min(1).max(longestMm)
      return [name, value.optional().describe(as === 'text' ? label : `${label}, in millimeters`)]
    }),
  ) as unknown as Record<ParticularName, z.ZodOptional<z.ZodType<number | string>>>,
)

const Contact = z.strictObject({
  name: z.string().min(1).max(100).describe('The name'),
  line1: z.string().min(1).max(180).describe('The street and number'),
  line2: z.string().max(180).optional().describe('More of the address'),
  city: z.string().min(1).max(64).describe('The city'),
  region: z.string().max(64).optional().describe('The state or region'),
  postal_code: z.string().min(1).max(9).describe('The postal code'),
  country: z
    .string()
    .regex(/^[A-Z]{2}$/, 'must be two capital letters')
    .describe('The country, as two letters (ISO 3166-1)'),
  email: z.email().max(180).optional().describe('The email address'),
  phone: z.string().max(64).optional().describe('The phone number'),
})

/** Companies responsible for a product in the EU, which business sellers there must name. */
export const Regulatory = z.strictObject({
  manufacturer: Contact.optional().describe('The manufacturer'),
  responsible_person: Contact.optional().describe('The company in the EU that is responsible for the product'),
})
export type Regulatory = z.infer<typeof Regulatory>
