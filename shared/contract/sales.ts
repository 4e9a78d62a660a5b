import { z } from 'zod'
import { PlatformSlug } from '../platforms.ts'
import { SalePlace } from './orders.ts'
import { CursorPage, CursorQuery } from './pages.ts'
import { route } from './route.ts'

/** A sale that stands: one line of an order, or what the seller marked as sold. */
export const Sale = z
  .object({
    sold_at: z.iso.datetime(),
    platform: SalePlace,
    order_uid: z.string(),
    inventory_item_uid: z.string(),
    title: z.string().nullable().describe('Null where the item was deleted'),
    image: z.string().nullable(),
    price_minor: z.int(),
    currency: z.string(),
    ended_on: z.array(PlatformSlug).describe('Where the item was taken down since the sale'),
    live_on: z.array(PlatformSlug).describe('Where it is still to be taken down'),
  })
  .meta({ id: 'Sale' })
export type Sale = z.infer<typeof Sale>

const period = {
  from: z.iso.datetime({ offset: true }).optional().describe('Sold at this instant or later'),
  to: z.iso.datetime({ offset: true }).optional().describe('Sold before this instant'),
  platform: SalePlace.optional(),
}

/** d8 */
export const listSales = route({
  summary: 'The sales, newest first',
  notes: 'Canceled sales and sold-twice orders are not among them. A sale without a known price counts as zero.',
  section: 'd8',
  tag: 'Orders',
  method: 'GET',
  path: '/api/v1/sales/',
  auth: { scope: 'inventory:read' },
  query: z.strictObject({ ...period, ...CursorQuery }),
  replies: { 200: CursorPage(Sale) },
})

/** d8 */
export const getSalesTotals = route({
  summary: 'How much was sold, in each currency',
  notes: "The client chooses the period, because it knows the seller's day and week.",
  section: 'd8',
  tag: 'Orders',
  method: 'GET',
  path: '/api/v1/sales/totals/',
  auth: { scope: 'inventory:read' },
  query: z.strictObject(period),
  replies: {
    200: z.object({
      sales: z.int(),
      amounts: z.array(z.object({ currency: z.string(), sales: z.int(), price_minor: z.int() })),
    }),
  },
})

export const sales = { listSales, getSalesTotals }
