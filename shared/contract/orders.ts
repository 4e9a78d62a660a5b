import { z } from 'zod'
import { PlatformSlug } from '../platforms.ts'
import { CursorPage, CursorQuery } from './pages.ts'
import { route } from './route.ts'

/** Order with its lines (decisions 8). No buyer data is kept. */
export const Order = z
  .object({
    uid: z.string(),
    platform: PlatformSlug,
    external_order_id: z.string(),
    status: z.enum(['paid', 'cancelled']),
    ordered_at: z.iso.datetime(),
    lines: z.array(
      z.object({
        external_line_id: z.string(),
        listing_id: z.string(),
        inventory_item_uid: z.string().nullable(),
        price: z.string().describe('Decimal text'),
        currency: z.string(),
        state: z
          .enum(['sold', 'oversell', 'cancelled', 'unmatched'])
          .describe('oversell: the item was sold before; cancel this order. unmatched: no item of ours'),
      }),
    ),
  })
  .meta({ id: 'Order' })
export type Order = z.infer<typeof Order>

/** d8 */
export const listOrders = route({
  summary: 'Orders of all platforms, newest first',
  section: 'd8',
  tag: 'Orders',
  method: 'GET',
  path: '/api/v1/orders/',
  auth: { scope: 'inventory:read' },
  query: z.strictObject({
    platform: PlatformSlug.optional(),
    status: Order.shape.status.optional(),
    state: z.enum(['sold', 'oversell', 'cancelled', 'unmatched']).optional().describe('Has a line in this state'),
    ...CursorQuery,
  }),
  replies: { 200: CursorPage(Order) },
})

export const orders = { listOrders }
