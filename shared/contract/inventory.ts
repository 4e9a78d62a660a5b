import { z } from 'zod'
import { Id } from '../identity.ts'
import { Availability, InventoryRecord } from '../inventory-record.ts'
import { PlatformSlug } from '../platforms.ts'
import { CursorPage, CursorQuery } from './pages.ts'
import { route } from './route.ts'

/** What a platform says of an item beyond the record. */
export const Attributes = z.looseObject({
  brand: z.string().optional(),
  size: z.string().optional(),
  colors: z.array(z.string()).optional(),
  category: z.string().optional(),
})
export type Attributes = z.infer<typeof Attributes>

/** Inventory item (decisions 7): the record with what it has no place for beside it. */
export const InventoryItem = z
  .object({
    uid: z.string(),
    sku: z.string().nullable(),
    description: z.string(),
    attributes: Attributes,
    version: z.int(),
    created_at: z.iso.datetime(),
    updated_at: z.iso.datetime(),
    seller_account_uids: z.array(z.string()),
    record: InventoryRecord,
  })
  .meta({ id: 'InventoryItem' })
export type InventoryItem = z.infer<typeof InventoryItem>

const tag = 'Inventory'

/** d7 */
export const listInventory = route({
  summary: 'The items of the inventory, newest first',
  section: 'd7',
  tag,
  method: 'GET',
  path: '/api/v1/inventory/',
  auth: { scope: 'inventory:read' },
  query: z.strictObject({
    state: Availability.optional(),
    platform: PlatformSlug.optional().describe('Has a listing on this platform'),
    q: z.string().min(1).max(200).optional().describe('Words of title, brand or SKU'),
    sku: z.string().min(1).max(500).optional(),
    updated_since: z.iso.datetime({ offset: true }).optional(),
    ...CursorQuery,
  }),
  replies: { 200: CursorPage(InventoryItem) },
})

/** d7 */
export const getInventoryItem = route({
  summary: 'One item',
  section: 'd7',
  tag,
  method: 'GET',
  path: '/api/v1/inventory/{uid}/',
  auth: { scope: 'inventory:read' },
  params: z.strictObject({ uid: Id('inv') }),
  replies: { 200: InventoryItem },
})

export const inventory = { listInventory, getInventoryItem }
