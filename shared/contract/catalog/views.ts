import { z } from 'zod'
import { InventoryFilter } from '../../item/inventory-filter.ts'
import { sortKeys, viewColumns } from '../../item/inventory-view.ts'
import { UidParams } from '../declaring/params.ts'
import { routesOf } from '../declaring/route.ts'

const viewFields = {
  name: z.string().trim().min(1).max(60).describe('The name that the seller gave it'),
  filter: InventoryFilter,
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
