import { z } from 'zod'
import { Id } from '../identity.ts'
import { PlatformSlug } from '../platforms.ts'
import { CursorPage, CursorQuery } from './pages.ts'
import { route } from './route.ts'

/** Where an item was sold: a platform, or in person as the seller said. */
const SalePlace = z.enum([...PlatformSlug.options, 'outside'])

/** An order with its lines, without data of the buyer. */
export const Order = z
  .object({
    uid: z.string(),
    platform: SalePlace,
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

export const listOrders = route({
  summary: 'Orders of all platforms, newest first',
  notes:
    'Sales that the seller marked by hand are no orders of a platform; `platform=outside` shows them, by the uid that their events name.',
  section: 'd8',
  tag: 'Orders',
  method: 'GET',
  path: '/api/v1/orders/',
  auth: { scope: 'inventory:read' },
  query: z.strictObject({
    platform: SalePlace.optional(),
    status: Order.shape.status.optional(),
    state: z.enum(['sold', 'oversell', 'cancelled', 'unmatched']).optional().describe('Has a line in this state'),
    ...CursorQuery,
  }),
  replies: { 200: CursorPage(Order) },
})

/** A matter for the seller, such as an oversell with the order to cancel. */
export const Alarm = z
  .object({
    uid: z.string(),
    kind: z
      .enum(['oversell', 'excess_quantity', 'sold_while_withdrawn', 'relist_offer', 'orders_unread', 'delist_overdue'])
      .describe(
        'relist_offer: a sale was cancelled, the item can be listed again. delist_overdue: it should be down there and is not proven to be',
      ),
    state: z.enum(['open', 'resolved', 'dismissed']),
    message: z.string(),
    platform: PlatformSlug.nullable(),
    inventory_item_uid: z.string().nullable(),
    order_uid: z.string().nullable(),
    external_order_id: z.string().nullable(),
    suggestion: z.enum(['cancel_order', 'list_again', 'check_connection', 'check_item', 'check_listing']),
    relist_on: z.array(PlatformSlug).describe('For relist_offer: where it was live'),
    created_at: z.iso.datetime(),
  })
  .meta({ id: 'Alarm' })
export type Alarm = z.infer<typeof Alarm>

export const listAlarms = route({
  summary: 'What a person should look at, newest first',
  section: 'd8',
  tag: 'Orders',
  method: 'GET',
  path: '/api/v1/alarms/',
  auth: { scope: 'inventory:read' },
  query: z.strictObject({ state: Alarm.shape.state.optional().describe('Default open'), ...CursorQuery }),
  replies: { 200: CursorPage(Alarm) },
})

/** Marks it as seen. */
export const dismissAlarm = route({
  summary: 'Put an alarm aside',
  section: 'd8',
  tag: 'Orders',
  method: 'POST',
  path: '/api/v1/alarms/{uid}/dismiss/',
  auth: { scope: 'inventory:write' },
  params: z.strictObject({ uid: Id('alm') }),
  replies: { 200: Alarm },
  worksOnLowDisk: true,
})

export const orders = { listOrders, listAlarms, dismissAlarm }
