import { z } from 'zod'
import { carriers } from '../../carriers.ts'
import { PlatformSlug } from '../../platforms.ts'
import { Witness } from '../catalog/inventory.ts'
import { errorCodes } from '../declaring/errors.ts'
import { CursorPage, CursorQuery } from '../declaring/pages.ts'
import { UidParams } from '../declaring/params.ts'
import { routesOf } from '../declaring/route.ts'

export const CarrierSlug = z.enum(carriers.map(({ slug }) => slug))

const ShippedItem = z.object({
  inventory_item_uid: z.string().nullable().describe('The item; null for a listing that is not in Hapax'),
  listing_id: z.string().describe('The id of the listing on the platform'),
  title: z.string().nullable().describe('Title of the item'),
  image: z.string().nullable().describe("The item's first picture"),
  sku: z.string().nullable().describe('The SKU'),
  storage_location: z.string().nullable().describe('Where the seller keeps the item'),
  quantity: z.int().describe('How many were ordered'),
  price_minor: z.int().describe('The price of one in minor units of its currency'),
  currency: z.string().describe('The currency, as three letters (ISO 4217)'),
})

/** Where an order is on its way out of the door. */
const ShipmentState = z
  .enum(['to_ship', 'sending', 'shipped'])
  .describe(
    '`sending`: shipped by the seller, and Hapax is telling the marketplace. `shipped`: the marketplace shows it as shipped, or it has no way to be told',
  )

const onItsWay = {
  state: ShipmentState,
  ship_by: z.iso.datetime().nullable().describe('When the marketplace wants it sent; null where it gives no date'),
  carrier: z.string().nullable().describe('A carrier of `markShipped`, or as the marketplace names another one'),
  tracking_number: z.string().nullable().describe('The tracking number'),
  shipped_at: z.iso.datetime().nullable().describe('When it was shipped'),
  shipped_by: z.enum(['seller', 'marketplace']).nullable().describe('Who said that it is shipped'),
  confirmed_at: z.iso.datetime().nullable().describe('When the marketplace was seen to show it as shipped'),
}

/** How the order of a sale leaves the house, as a sale shows it. */
export const SaleShipment = z.object(onItsWay).meta({ id: 'SaleShipment' })
export type SaleShipment = z.infer<typeof SaleShipment>

/** An order with what is sold in it, from the sale to the parcel. */
export const Shipment = z
  .object({
    order_uid: z.string().describe('The order'),
    platform: PlatformSlug.describe('The platform'),
    external_order_id: z
      .string()
      .nullable()
      .describe('The id of the order on the platform; null where only its listing was seen as sold'),
    order_url: z.string().describe('The page of the order, or of the orders, on the platform'),
    seller_account_uid: z.string().nullable().describe('The shop'),
    shop_name: z.string().nullable().describe('The name of the shop'),
    ordered_at: z.iso.datetime().describe('When it was ordered'),
    told_by: Witness.describe('What told Hapax of the sale'),
    ...onItsWay,
    buyer_note: z
      .string()
      .nullable()
      .describe('What the buyer wrote with the order. Kept until it is shipped, at most 90 days'),
    tells_marketplace: z.boolean().describe('Whether `markShipped` tells the marketplace, with the tracking'),
    needs_reconnect: z.boolean().describe('The shop has to be connected again before the marketplace can be told'),
    tells_at: z.iso
      .datetime()
      .nullable()
      .describe('While `sending`: when the marketplace is told. Until then nothing has left Hapax'),
    can_undo: z.boolean().describe('Whether `undoShipped` can take it back'),
    problem: z
      .object({
        code: z.enum(errorCodes).describe('The stable code to branch on'),
        message: z.string().describe('A sentence for people'),
      })
      .nullable()
      .describe('Why the marketplace was not told: refused (`to_ship`), or not yet (`sending`)'),
    items: z.array(ShippedItem).describe('What belongs into the parcel'),
  })
  .meta({ id: 'Shipment' })
export type Shipment = z.infer<typeof Shipment>

const route = routesOf('Orders')

export const listShipments = route({
  summary: 'What is to be shipped, the most urgent first, or what was',
  notes:
    'An order is here if something of it is sold and Hapax learned of the order since it keeps shipments. Orders without a date come after those with one. With `state=shipped` the newest come first, those being told to the marketplace among them. An order that the marketplace reports as shipped leaves by itself at the next reading of its orders.',
  method: 'GET',
  path: '/api/v1/shipments/',
  auth: { scope: 'inventory:read' },
  query: z.strictObject({
    state: z.enum(['to_ship', 'shipped']).optional().describe('Default to_ship'),
    ...CursorQuery,
  }),
  replies: { 200: CursorPage(Shipment) },
})

export const ShipmentTotals = z.object({
  to_ship: z.int().describe('Orders to ship'),
  late: z.int().describe('Of these, how many have a date that is over'),
  refused: z.int().describe('Of these, how many the marketplace refused to show as shipped'),
  next_ship_by: z.iso.datetime().nullable().describe('The most urgent date of these; null without one'),
})
export type ShipmentTotals = z.infer<typeof ShipmentTotals>

export const getShipmentTotals = route({
  summary: 'How much is to be shipped, and until when',
  method: 'GET',
  path: '/api/v1/shipments/totals/',
  auth: { scope: 'inventory:read' },
  replies: { 200: ShipmentTotals },
})

/** A carrier with its tracking number, or neither. */
export const Tracking = z
  .strictObject({
    carrier: CarrierSlug.optional().describe('The carrier; with `tracking_number` only'),
    tracking_number: z
      .string()
      .regex(/^[A-Za-z0-9](?:[ -]?[A-Za-z0-9]){3,49}$/, 'must be 4 to 50 letters and digits')
      .optional()
      .describe('Letters and digits; spaces and hyphens are left out. With `carrier` only'),
  })
  .refine(({ carrier, tracking_number }) => (carrier === undefined) === (tracking_number === undefined), {
    message: 'carrier and tracking_number come together',
    path: ['tracking_number'],
  })
export type Tracking = z.infer<typeof Tracking>

const params = UidParams('ord')

export const markShipped = route({
  summary: 'Say that an order is shipped',
  notes:
    'Where `tells_marketplace` is true, the marketplace is told after 20 seconds, so that a wrong press can be taken back. Before that the order is read, and nothing is sent for one that it already shows as shipped. The call is retried for three days; a refusal puts the order back with `problem`. eBay and Etsy tell the buyer. Repeating the same call changes nothing.',
  method: 'POST',
  path: '/api/v1/shipments/{uid}/shipped/',
  auth: { scope: 'listings:write' },
  params,
  body: Tracking,
  replies: { 200: Shipment },
  errors: ['conflict', 'reconnect_required'],
})

export const undoShipped = route({
  summary: 'Take back that an order is shipped',
  notes:
    '409 once the marketplace may have been told: it is taken back there, and the order returns at the next reading. Repeating it changes nothing.',
  method: 'POST',
  path: '/api/v1/shipments/{uid}/undo/',
  auth: { scope: 'listings:write' },
  params,
  replies: { 200: Shipment },
  errors: ['conflict'],
})

export const shipments = { listShipments, getShipmentTotals, markShipped, undoShipped }
