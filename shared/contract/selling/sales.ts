import { z } from 'zod'
import { Id } from '../../identity.ts'
import { PlatformSlug } from '../../platforms.ts'
import { Witness } from '../catalog/inventory.ts'
import { CursorPage, CursorQuery } from '../declaring/pages.ts'
import { param } from '../declaring/params.ts'
import { routesOf } from '../declaring/route.ts'
import { SalePlace } from './orders.ts'
import { SaleShipment } from './shipments.ts'

const route = routesOf('Orders')

/** The highest amount in minor units. */
const maxMinor = 100_000_000_000

/** A valid sale: one line of an order, or an item that the seller marked as sold. */
export const Sale = z
  .object({
    id: z.string().describe('The id'),
    sold_at: z.iso.datetime().describe('When it was sold'),
    platform: SalePlace.describe('The platform'),
    order_uid: z.string().describe('The order'),
    external_order_id: z
      .string()
      .nullable()
      .optional()
      .describe('The id of the order on the platform; null where only its listing was seen as sold, and in person'),
    told_by: z
      .enum([...Witness.options, 'file'])
      .optional()
      .describe('What told Hapax of the sale; `file`: an imported file of sales of the past'),
    inventory_item_uid: z.string().describe('The item'),
    sku: z.string().nullable().optional().describe('The SKU of the item'),
    storage_location: z.string().nullable().optional().describe('Where the seller keeps the item'),
    title: z.string().nullable().describe('Null where the item was deleted'),
    image: z.string().nullable().describe('The first photo; null without one'),
    price_minor: z.int().describe('The price in minor units of its currency'),
    currency: z.string().describe('The currency, as three letters (ISO 4217)'),
    fee_minor: z.int().nullable().describe('The share of the platform. Null where no rate is known'),
    fee_source: z
      .enum(['estimated', 'entered'])
      .nullable()
      .describe("estimated: from the platform's published rates in the United States. entered: by the seller"),
    shipping_minor: z.int().nullable().describe('As the seller entered it'),
    cost_minor: z
      .int()
      .nullable()
      .describe("The price that the seller paid: as entered for the sale, else the item's `cost_minor`"),
    listed_at: z.iso.datetime({ offset: true }).nullable().describe('When the item was first listed anywhere'),
    ended_on: z.array(PlatformSlug).describe('Where the item was taken down since the sale'),
    live_on: z.array(PlatformSlug).describe('Where it is still to be taken down'),
    shipment: SaleShipment.nullable()
      .optional()
      .describe('How it leaves the house; null in person, and for a sale from before Hapax kept shipments'),
  })
  .meta({ id: 'Sale' })
export type Sale = z.infer<typeof Sale>

const HeldSale = Sale.pick({
  ...{ sold_at: true, platform: true, order_uid: true, inventory_item_uid: true },
  ...{ title: true, image: true, price_minor: true, currency: true },
})
export type HeldSale = z.infer<typeof HeldSale>

const period = {
  from: z.iso.datetime({ offset: true }).optional().describe('Sold at this instant or later'),
  to: z.iso.datetime({ offset: true }).optional().describe('Sold before this instant'),
  platform: SalePlace.optional().meta(param('The platform')),
}

export const listSales = route({
  summary: 'The sales, newest first',
  notes: 'Canceled sales and sold-twice orders are not among them. A sale without a known price counts as zero.',
  method: 'GET',
  path: '/api/v1/sales/',
  auth: { scope: 'inventory:read' },
  query: z.strictObject({
    ...period,
    inventory_item_uid: Id('inv').optional().meta(param('Only those of this item')),
    ...CursorQuery,
  }),
  replies: {
    200: CursorPage(Sale).extend({
      held: z
        .array(HeldSale)
        .optional()
        .describe(
          'On the first page, whatever the period: sales of which only a mail told, newest first. Their items are held until the marketplace shows the sale, and they count in no totals',
        ),
    }),
  },
})

const SalesTotals = z.object({
  sales: z.int().describe('How many were sold'),
  amounts: z
    .array(
      z.object({
        currency: z.string().describe('The currency, as three letters (ISO 4217)'),
        sales: z.int().describe('How many were sold'),
        price_minor: z.int().describe('The price in minor units of its currency'),
      }),
    )
    .describe('Sums by currency'),
})
export type SalesTotals = z.infer<typeof SalesTotals>

export const getSalesTotals = route({
  summary: 'How much was sold, in each currency',
  notes: "The client chooses the period, because it knows the seller's day and week.",
  method: 'GET',
  path: '/api/v1/sales/totals/',
  auth: { scope: 'inventory:read' },
  query: z.strictObject(period),
  replies: { 200: SalesTotals },
})

/** A sale's costs. Absent members stay; null removes one. */
export const SaleCosts = z.strictObject({
  fee_minor: z.int().min(0).max(maxMinor).nullable().optional().describe('The share of the platform, in minor units'),
  shipping_minor: z.int().min(0).max(maxMinor).nullable().optional().describe('The cost of shipping, in minor units'),
  cost_minor: z
    .int()
    .min(0)
    .max(maxMinor)
    .nullable()
    .optional()
    .describe('The price that the seller paid, in minor units. Not public'),
})
export type SaleCosts = z.infer<typeof SaleCosts>

export const updateSaleCosts = route({
  summary: 'Enter what a sale cost',
  notes: 'In minor units of the currency of the sale. Without a fee, the published rates are used.',
  method: 'PATCH',
  path: '/api/v1/sales/{id}/',
  auth: { scope: 'inventory:write' },
  params: z.strictObject({
    id: z
      .string()
      .regex(/^\d{1,18}$/)
      .meta(param('The id')),
  }),
  body: SaleCosts,
  replies: { 200: Sale },
})

export const sales = { listSales, getSalesTotals, updateSaleCosts }
