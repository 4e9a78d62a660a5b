import { z } from 'zod'
import { PlatformSlug } from '../platforms.ts'
import { Availability } from './inventory-record.ts'
import { lackable, todos } from './inventory-view.ts'

const Amount = z.number().min(0).max(9_999_999_999)

/** The conditions of a page of the inventory. All of them hold, and one that is left out does not restrict. */
export const InventoryFilter = z
  .strictObject({
    state: Availability.optional().describe('The state of the items'),
    on: z
      .union([PlatformSlug, z.literal('nowhere')])
      .optional()
      .describe('Where they are live; `nowhere`: not at all'),
    todo: z
      .enum(todos)
      .optional()
      .describe(
        'What is to be done: `photograph` drafts without a photo; `list` other drafts, and what is live nowhere',
      ),
    off: PlatformSlug.optional().describe('Where they are not live'),
    query: z.string().max(200).optional().describe('Words that they have'),
    price_from: Amount.optional().describe('The lowest price, in units of the currency of each item'),
    price_to: Amount.optional().describe('The highest price, in units of the currency of each item'),
    listed_days: z.int().min(0).max(36_500).optional().describe('Live for at least so many days'),
    brand: z.string().min(1).max(500).optional().describe('The brand'),
    category: z.string().min(1).max(1_000).optional().describe('The category, in words'),
    lacks: z.array(z.enum(lackable)).max(5).optional().describe('What all of them lack'),
  })
  .meta({ id: 'ViewFilter' })
export type InventoryFilter = z.infer<typeof InventoryFilter>
