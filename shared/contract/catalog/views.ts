import { z } from 'zod'
import { Availability } from '../../item/inventory-record.ts'
import { lackable, sortKeys, todos, viewColumns } from '../../item/inventory-view.ts'
import { PlatformSlug } from '../../platforms.ts'
import { UidParams } from '../declaring/params.ts'
import { routesOf } from '../declaring/route.ts'

const Amount = z.number().min(0).max(9_999_999_999)

/** The conditions of a view. All of them hold, and one that is left out does not restrict. */
export const ViewFilter = z
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
export type ViewFilter = z.infer<typeof ViewFilter>

const viewFields = {
  name: z.string().trim().min(1).max(60).describe('The name that the seller gave it'),
  filter: ViewFilter,
  columns: z.array(z.enum(viewColumns)).max(20).describe('The optional columns that it shows'),
  sort: z
    .strictObject({
      by: z.enum(sortKeys).describe('What the items are sorted by'),
      down: z.boolean().describe('The most, or the newest, first'),
    })
    .describe('The order'),
}

/** A view of the inventory that the seller saved. */
export const View = z.object({ uid: z.string().describe('The id'), ...viewFields }).meta({ id: 'View' })
export type View = z.infer<typeof View>

/** Most views of an account. */
export const maxViews = 100

const route = routesOf('Inventory')

export const listViews = route({
  summary: 'The saved views of the inventory, the first saved first',
  method: 'GET',
  path: '/api/v1/views/',
  auth: { scope: 'inventory:read' },
  replies: { 200: z.array(View) },
})

export const saveView = route({
  summary: 'Save a view of the inventory',
  notes: 'A view of the same name is replaced and keeps its id, so repeating it changes nothing.',
  method: 'POST',
  path: '/api/v1/views/',
  auth: { scope: 'inventory:write' },
  body: z.strictObject(viewFields),
  replies: { 200: View },
  errors: ['quota_exceeded'],
})

export const deleteView = route({
  summary: 'Delete a saved view',
  method: 'DELETE',
  path: '/api/v1/views/{uid}/',
  auth: { scope: 'inventory:write' },
  params: UidParams('viw'),
  replies: { 204: null },
})

export const views = { listViews, saveView, deleteView }
