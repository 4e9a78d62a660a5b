import { z } from 'zod'

const Uri = z.url().meta({ format: 'uri' })
const text = z.string().min(1)

/** States of an item, used by offer.availability and lifecycle.state. */
export const Availability = z.enum(['available', 'reserved', 'sold', 'withdrawn'])
export type Availability = z.infer<typeof Availability>

/** The label when no listing states a condition, since the record requires one. */
export const conditionNotStated = 'not stated'

const unique = (values: string[]) => new Set(values).size === values.length

/** Unique inventory record, schema v0.1: no additional properties at any level. */
export const InventoryRecord = z
  .strictObject({
    physical_item_id: text,
    product_id: text,
    offer_id: text,
    title: text,
    canonical_url: Uri,
    aliases: z.array(Uri).refine(unique, 'items must be unique').meta({ uniqueItems: true }).optional(),
    redirect_target: Uri.optional(),
    channel_listings: z.array(z.strictObject({ channel: text, listing_id: text, url: Uri })).optional(),
    images: z.array(Uri).min(1),
    condition: z.strictObject({
      label: text,
      notes: z.string(),
      inspected_at: z.iso.date(),
      evidence_urls: z.array(Uri),
    }),
    offer: z.strictObject({
      price_minor: z.int().min(0).describe('Price in minor currency units'),
      currency: z.string().regex(/^[A-Z]{3}$/),
      quantity: z.int().min(0).max(1),
      availability: Availability,
      observed_at: z.iso.datetime({ offset: true }),
      seller_url: Uri,
      shipping_policy_url: Uri,
      returns_policy_url: Uri,
    }),
    lifecycle: z.strictObject({
      version: text,
      state: Availability,
      updated_at: z.iso.datetime({ offset: true }),
    }),
  })
  .meta({ id: 'InventoryRecord', title: 'Unique inventory record', description: 'Schema version 0.1' })
export type InventoryRecord = z.infer<typeof InventoryRecord>

/** Returns the record's JSON Schema (draft 2020-12), served at /schemas/unique-inventory-record/0.1.json. */
export function inventoryRecordJsonSchema(publicUrl: string): Record<string, unknown> {
  const schema = z.toJSONSchema(InventoryRecord, { io: 'input' }) as Record<string, unknown>
  return { ...schema, $id: `${publicUrl}/schemas/unique-inventory-record/0.1.json` }
}
