import { z } from 'zod'

const Uri = z.url().meta({ format: 'uri' })
const text = z.string().min(1)

/** States of an item, used by offer.availability and lifecycle.state. */
export const Availability = z.enum(['available', 'reserved', 'sold', 'withdrawn'])
export type Availability = z.infer<typeof Availability>

const unique = (values: string[]) => new Set(values).size === values.length

/** Unique inventory record, schema v0.1: no additional properties at any level. */
export const InventoryRecord = z
  .strictObject({
    physical_item_id: text.describe('The id of the physical item'),
    product_id: text.describe('The product that the item is one of'),
    offer_id: text.describe('The id of the offer'),
    title: text.describe('The title'),
    canonical_url: Uri.describe('The public page of the item'),
    aliases: z
      .array(Uri)
      .refine(unique, 'items must be unique')
      .meta({ uniqueItems: true })
      .optional()
      .describe('Former addresses of the item'),
    redirect_target: Uri.optional().describe('The item that this one was merged into'),
    channel_listings: z
      .array(
        z.strictObject({
          channel: text.describe('The marketplace'),
          listing_id: text.describe('The id of the listing on the platform'),
          url: Uri.describe('The address'),
        }),
      )
      .optional()
      .describe('Listings of the item on marketplaces'),
    images: z.array(Uri).min(1).describe('Addresses of the photos, the main one first'),
    condition: z
      .strictObject({
        label: text.describe('The condition in words'),
        notes: z.string().describe('Notes on the condition'),
        inspected_at: z.iso.date().describe('The day on which the condition was checked'),
        evidence_urls: z.array(Uri).describe('Photos that show the condition'),
      })
      .describe('The condition of the item'),
    offer: z
      .strictObject({
        price_minor: z.int().min(0).describe('Price in minor currency units'),
        currency: z
          .string()
          .regex(/^[A-Z]{3}$/)
          .describe('The currency, as three letters (ISO 4217)'),
        quantity: z.int().min(0).max(1).describe('How many there are'),
        availability: Availability.describe('The state of the item'),
        observed_at: z.iso.datetime({ offset: true }).describe('When the state was last seen'),
        seller_url: Uri.describe('The page of the seller'),
        shipping_policy_url: Uri.describe('The address of the shipping policy'),
        returns_policy_url: Uri.describe('The address of the return policy'),
      })
      .describe('Price and policies'),
    lifecycle: z
      .strictObject({
        version: text.describe('Grows with each change'),
        state: Availability.describe('The state of the item'),
        updated_at: z.iso.datetime({ offset: true }).describe('When it last changed'),
      })
      .describe('The state of the item and its times'),
  })
  .meta({ id: 'InventoryRecord', title: 'Unique inventory record', description: 'Schema version 0.1' })
export type InventoryRecord = z.infer<typeof InventoryRecord>

/** Returns the record's JSON Schema (draft 2020-12), served at /schemas/unique-inventory-record/0.1.json. */
export function inventoryRecordJsonSchema(publicUrl: string): Record<string, unknown> {
  const schema = z.toJSONSchema(InventoryRecord, { io: 'input' }) as Record<string, unknown>
  return { ...schema, $id: `${publicUrl}/schemas/unique-inventory-record/0.1.json` }
}
