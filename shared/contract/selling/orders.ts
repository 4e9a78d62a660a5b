import { z } from 'zod'
import { PlatformSlug } from '../../platforms.ts'
import { CursorPage, CursorQuery } from '../declaring/pages.ts'
import { param, UidParams } from '../declaring/params.ts'
import { routesOf } from '../declaring/route.ts'

const route = routesOf('Orders')

/** Where something was sold: a platform, or in person, as its seller said. */
export const SalePlace = z.enum([...PlatformSlug.options, 'outside'])

const OrderStatus = z.enum(['paid', 'cancelled'])

/** An order with its lines, without data of the buyer. */
export const Order = z
  .object({
    uid: z.string().describe('The id'),
    platform: SalePlace.describe('The platform'),
    external_order_id: z.string().describe('The id of the order on the platform'),
    status: OrderStatus.describe('The status'),
    ordered_at: z.iso.datetime().describe('When it was ordered'),
    lines: z
      .array(
        z.object({
          external_line_id: z.string().describe('The id of the line on the platform'),
          listing_id: z.string().describe('The id of the listing on the platform'),
          inventory_item_uid: z.string().nullable().describe('The item'),
          price: z.string().describe('Decimal text'),
          currency: z.string().describe('The currency, as three letters (ISO 4217)'),
          state: z
            .enum(['sold', 'oversell', 'cancelled', 'unmatched'])
            .describe('oversell: the item was sold before; cancel this order. unmatched: no item of ours'),
        }),
      )
      .describe('What was ordered'),
  })
  .meta({ id: 'Order' })
export type Order = z.infer<typeof Order>

export const listOrders = route({
  summary: 'Orders of all platforms, newest first',
  notes:
    'Sales that the seller marked by hand are no orders of a platform; `platform=outside` shows them, by the uid that their events name.',
  method: 'GET',
  path: '/api/v1/orders/',
  auth: { scope: 'inventory:read' },
  query: z.strictObject({
    platform: SalePlace.optional().meta(param('The platform')),
    status: OrderStatus.optional().meta(param('The status')),
    state: z.enum(['sold', 'oversell', 'cancelled', 'unmatched']).optional().describe('Has a line in this state'),
    ...CursorQuery,
  }),
  replies: { 200: CursorPage(Order) },
})

/** Kinds of alerts. A list is in the order of `urgency`. */
export const alertKinds = [
  'connection_lost',
  'orders_unread',
  'oversell',
  'excess_quantity',
  'sale_unclear',
  'relist_unclear',
  'delist_overdue',
  'sold_while_withdrawn',
  'relist_offer',
  'sale_refunded',
  'listing_expired',
  'update_refused',
  'listing_refused',
] as const

/** Kinds of alerts that put no money at risk. */
const lowRiskKinds: ReadonlySet<string> = new Set([
  'relist_offer',
  'listing_expired',
  'update_refused',
  'listing_refused',
])

/** The alerts that are mailed unless the settings say otherwise. */
export const defaultAlertMails = alertKinds.filter((kind) => !lowRiskKinds.has(kind))

/** Kinds of notifications in browsers. */
export const pushKinds = ['sale', ...alertKinds] as const
export type PushKind = (typeof pushKinds)[number]

/** The kinds that are pushed unless the settings say otherwise. */
export const defaultPushKinds: PushKind[] = ['sale', ...defaultAlertMails]

/** An alert to the seller, such as an oversell with the order to cancel. */
export const Alert = z
  .object({
    uid: z.string().describe('The id'),
    kind: z
      .enum(alertKinds)
      .describe(
        'relist_offer: a sale was cancelled, the item can be listed again. sale_refunded: an order was refunded before it was shipped; mark-unsold says that the seller still has the item, dismissing it that it is gone. listing_expired: its time on Etsy is over, and a new listing costs the fee again. delist_overdue: it should be down there and is not proven to be, or only the seller can take it down. connection_lost: the shop has to be connected again. update_refused: the platform refused an edit of a live listing. listing_refused: a listing that was asked for failed when no call waited for its answer, such as the one that undoes a take-down. sale_unclear: something was sold, and it is not certain which item it is, see `candidates`. Nothing is ended before `nameSoldItem`. relist_unclear: the marketplace shows a listing under a new number that may be one of `candidates`; `nameSoldItem` says which',
      ),
    state: z.enum(['open', 'resolved', 'dismissed']).describe('The state of the item'),
    urgency: z.int().describe('Lists begin with the highest'),
    message: z.string().describe('A sentence for people'),
    platform: PlatformSlug.nullable().describe('The platform'),
    inventory_item_uid: z.string().nullable().describe('The item'),
    title: z.string().nullable().describe('Of the item'),
    image: z.string().nullable().describe("The item's first picture"),
    price_minor: z.int().nullable().describe('Of the item'),
    currency: z.string().nullable().describe('The currency, as three letters (ISO 4217)'),
    seller_account_uid: z.string().nullable().describe('The shop'),
    shop_name: z.string().nullable().describe('The name of the shop'),
    order_uid: z.string().nullable().describe('The order'),
    external_order_id: z.string().nullable().describe('The id of the order on the platform'),
    listing_id: z.string().nullable().describe('The id of the listing on the platform'),
    listing_url: z.string().nullable().describe('The address of the listing'),
    sold_on: SalePlace.nullable().describe('Where the item is sold'),
    sold_at: z.iso.datetime().nullable().describe('When it was sold'),
    since: z.iso.datetime().describe('When the problem began: the take-down was ordered, or orders were last read'),
    progress: z
      .object({
        state: z
          .enum(['retrying', 'waiting_for_connection', 'waiting_for_seller', 'finished'])
          .describe('The state of the item'),
        attempts: z.int().describe('Tries so far'),
        next_try_at: z.iso
          .datetime()
          .nullable()
          .describe('Null while an attempt runs or is due, and where none is planned'),
        last_error: z.string().nullable().describe('The error of the last try'),
      })
      .describe('The next step of Hapax'),
    ended_said_at: z.iso
      .datetime()
      .optional()
      .describe('For delist_overdue: when the seller said that the listing is ended, which Hapax has not seen yet'),
    advice: z.string().optional().describe('What only the seller can do meanwhile, in words, where that is known'),
    actions: z
      .array(
        z.object({
          action: z
            .enum([
              'reconnect',
              'retry',
              'open_listing',
              'open_order',
              'list_again',
              'take_back_sale',
              'edit_item',
              'open_item',
              'dismiss',
            ])
            .describe('The kind of act'),
          url: z.string().nullable().describe('The page to open; null for a call of this API'),
        }),
      )
      .describe('Steps that the seller can take, the best first'),
    task_uid: z.string().nullable().describe('The open task that asks for the same'),
    suggestion: z
      .enum(['cancel_order', 'list_again', 'check_connection', 'check_item', 'check_listing', 'edit_item'])
      .describe('What to do about it'),
    relist_on: z
      .array(PlatformSlug)
      .describe(
        'For relist_offer and listing_expired: where it was live and is known to be down. For listing_refused: where it is not',
      ),
    relist_state: z
      .enum(['checking', 'relisted'])
      .optional()
      .describe(
        'For relist_offer. checking: whether the marketplace lists it again by itself is not known yet. relisted: it has',
      ),
    candidates: z
      .array(
        z.object({
          inventory_item_uid: z.string().describe('The item'),
          title: z.string().describe('Of the item'),
          image: z.string().nullable().describe("The item's first picture"),
          price_minor: z.int().describe('What is asked for it there, else of the item'),
          currency: z.string().describe('The currency, as three letters (ISO 4217)'),
          agrees: z.array(z.enum(['sku', 'title'])).describe('What speaks for it'),
          differs: z
            .array(z.enum(['title', 'size', 'price', 'other_listing', 'not_live', 'past_sale']))
            .describe(
              'What speaks against it. price: less was asked than paid. other_listing: it has another listing in that shop. past_sale: an imported file tells of its sale, which is not this one for certain',
            ),
        }),
      )
      .optional()
      .describe('For sale_unclear: the items that may be sold, the likeliest first. Name one with `nameSoldItem`'),
    sold: z
      .object({
        title: z.string().nullable().describe('The title; null where it is not told'),
        price_minor: z.int().nullable().describe('The price in minor units of its currency'),
        currency: z.string().nullable().describe('The currency, as three letters (ISO 4217)'),
      })
      .optional()
      .describe('For sale_unclear: what the marketplace says was sold'),
    sale_mail_uid: z.string().optional().describe('For sale_unclear: the mail that asks'),
    change_uid: z.string().optional().describe('In an answer: the change, which can be undone'),
    created_at: z.iso.datetime().describe('When it was created'),
  })
  .meta({ id: 'Alarm' })
export type Alert = z.infer<typeof Alert>

export const listAlerts = route({
  summary: 'List alerts, the most urgent first',
  notes: 'Those of one urgency are oldest first.',
  method: 'GET',
  path: '/api/v1/alarms/',
  auth: { scope: 'inventory:read' },
  query: z.strictObject({ state: Alert.shape.state.optional().describe('Default open'), ...CursorQuery }),
  replies: { 200: CursorPage(Alert) },
})

export const dismissAlert = route({
  summary: 'Dismiss an alert',
  method: 'POST',
  path: '/api/v1/alarms/{uid}/dismiss/',
  auth: { scope: 'inventory:write' },
  params: UidParams('alm'),
  replies: { 200: Alert },
  worksOnLowDisk: true,
})

export const retryAlert = route({
  summary: 'Try at once what an alert waits for',
  notes:
    'For a `delist_overdue`: the take-down is tried now instead of at `progress.next_try_at`, within the limits of the marketplace; a second call within ten seconds changes nothing. For a `listing_refused`: the item is listed with the same price and options; a second call while that is under way changes nothing. A call changes nothing for an alert that is over, either.',
  method: 'POST',
  path: '/api/v1/alarms/{uid}/retry/',
  auth: { scope: 'listings:write' },
  params: UidParams('alm'),
  replies: { 200: Alert },
  errors: ['conflict'],
})

export const sayListingEnded = route({
  summary: 'Say that you have ended the listing of an alert',
  notes:
    'For a `delist_overdue`: it stays open with `ended_said_at`, without a mail, until a reading of the shop shows that the listing is down. A listing seen on offer makes it new again. Completing the task of an alert says the same.',
  method: 'POST',
  path: '/api/v1/alarms/{uid}/ended/',
  auth: { scope: 'listings:write' },
  params: UidParams('alm'),
  replies: { 200: Alert },
  errors: ['conflict'],
  worksOnLowDisk: true,
})

export const nameSoldItem = route({
  summary: 'Say which item was sold',
  notes:
    'For a `relist_unclear`: the listing is the item’s from now on. For a `sale_unclear`: the item is sold or held as if the order or mail had named it, and its other listings are taken down. Null: none of your items. Repeating an answer changes nothing; another answer is `already_resolved`.',
  method: 'POST',
  path: '/api/v1/alarms/{uid}/answer/',
  auth: { scope: 'listings:write' },
  params: UidParams('alm'),
  body: z.strictObject({ item_uid: z.string().max(40).nullable().describe('The item that was sold') }),
  replies: { 200: Alert },
  errors: ['conflict', 'already_resolved'],
  worksOnLowDisk: true,
})

/** On the wire, alerts are alarms. */
export const orders = {
  listOrders,
  listAlarms: listAlerts,
  dismissAlarm: dismissAlert,
  retryAlarm: retryAlert,
  sayListingEnded,
  nameSoldItem,
}
