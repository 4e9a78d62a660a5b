import { z } from 'zod'
import { Availability } from '../../item/inventory-record.ts'
import { PlatformSlug } from '../../platforms.ts'
import { CountedPage, PageQuery } from '../declaring/pages.ts'
import { param, UidParams } from '../declaring/params.ts'
import { routesOf } from '../declaring/route.ts'
import { SalePlace } from '../selling/orders.ts'
import { Witness } from './inventory.ts'

/** Kinds of findings, the most urgent first. */
export const checkKinds = ['sold_live', 'sale_unconfirmed', 'listed_twice', 'shop_unread', 'price_differs'] as const
export const CheckKind = z.enum(checkKinds)
export type CheckKind = z.infer<typeof CheckKind>

const CheckedListing = z.object({
  inventory_item_uid: z.string().nullable().describe('The item that it belongs to; null while an import asks about it'),
  marketplace: PlatformSlug.describe('The platform'),
  seller_account_uid: z.string().describe('The shop'),
  listing_id: z.string().describe('The id of the listing on the platform'),
  url: z.string().describe('The address of the listing'),
  state: z.enum(['available', 'reserved', 'sold', 'removed']).describe('The state of the listing, as last read'),
  price_minor: z.int().describe('The price in minor units of its currency, as last read'),
  currency: z.string().describe('The currency, as three letters (ISO 4217)'),
  new_price_minor: z.int().optional().describe('Of `price_differs`: the price in minor units that mending gives it'),
  to_mend: z.boolean().describe('Whether mending changes this listing'),
})

/** Something in the inventory that is not as it should be. */
export const Check = z
  .object({
    uid: z.string().describe('The id'),
    kind: CheckKind.describe(
      '`sold_live`: sold or held on one marketplace and live on another. `listed_twice`: live twice on one. ' +
        '`price_differs`: live below the price that the rule of its platform gives. ' +
        '`sale_unconfirmed`: one witness told of a sale, and another that should know of it has not. `shop_unread`: a shop with live listings has not been read for days, so that a sale there would not be seen',
    ),
    message: z.string().describe('A sentence for people'),
    since: z.iso.datetime().describe('When it began, as far as that is known; else when it was found'),
    inventory_item_uid: z.string().nullable().describe('The item; null for `shop_unread`'),
    item_title: z.string().nullable().describe('Title of the item'),
    item_image: z.string().nullable().describe('Address of its first photo'),
    item_state: Availability.nullable().describe('What Hapax holds meanwhile: the state of the item'),
    sold_on: SalePlace.nullable().describe('Where it was sold or is held, if that is known'),
    witness: Witness.nullable().describe('What told of the sale; null where no sale is concerned'),
    read_at: z.iso
      .datetime()
      .nullable()
      .describe('Of a sale that is not confirmed, or an unread shop: when the other witness was last read'),
    taking_down: z.array(PlatformSlug).describe('Where Hapax is ending listings of the item'),
    waiting_on: z
      .array(PlatformSlug)
      .optional()
      .describe('Of a sale that is not confirmed: where a task asks the seller to end the listing of the item'),
    ended_on: z
      .array(PlatformSlug)
      .optional()
      .describe('Of a sale that is not confirmed: where the other listings of the item are down'),
    listings: z.array(CheckedListing).describe('The listings concerned, those to mend first'),
    action: z
      .enum(['take_down', 'keep_one', 'record_sale', 'set_price', 'open'])
      .describe(
        'What mending does. `take_down`: ends the listings. `keep_one`: ends all but the oldest. `record_sale`: records the sale, which ends the others. ' +
          '`set_price`: gives the listings the price by the rule. `open`: only the seller can, on the pages of `manual`.',
      ),
    manual: z
      .array(
        z.object({ marketplace: PlatformSlug.describe('The platform'), url: z.string().describe('The page to open') }),
      )
      .describe('What only the seller can do on the marketplace'),
    alert_uid: z.string().nullable().describe('The open alert that says the same'),
    difference_uid: z.string().nullable().describe('The open or ignored difference that says the same'),
    task_uid: z.string().nullable().describe('The open task that mends it'),
    conflict: z
      .object({ job_uid: z.string().describe('The job that asks'), item_uid: z.string().describe('The import item') })
      .nullable()
      .describe('The question of an import that says the same'),
    can_free: z
      .boolean()
      .optional()
      .describe('Of a sale that is not confirmed: it only holds the item, and `takeBackSale` says that it was no sale'),
    can_dismiss: z.boolean().describe('The seller may accept it as it is, until it changes'),
  })
  .meta({ id: 'Check' })
export type Check = z.infer<typeof Check>

const route = routesOf('Checks')

export const listChecks = route({
  summary: 'What is not as it should be, the most urgent first',
  notes:
    'The whole inventory is checked after each import, after each answer to a question of an import, and once a day. Findings are judged anew at each call, so a mended one is gone. Where an alert, a difference, a task or an import says the same, the entry names it.',
  method: 'GET',
  path: '/api/v1/checks/',
  auth: { scope: 'inventory:read' },
  query: z.strictObject({
    kind: CheckKind.optional().meta(param('The kind')),
    ...PageQuery,
  }),
  replies: {
    200: CountedPage(Check).extend({
      counts: z.partialRecord(CheckKind, z.int()).describe('How many there are of each kind that there is'),
      checked_at: z.iso
        .datetime()
        .nullable()
        .describe('When the whole inventory was last checked; null before the first time'),
    }),
  },
})

export const runChecks = route({
  summary: 'Check the whole inventory now',
  method: 'POST',
  path: '/api/v1/checks/run/',
  auth: { scope: 'inventory:write' },
  replies: {
    200: z.object({
      found: z.int().describe('How many findings there are'),
      checked_at: z.iso.datetime().describe('When the check ended'),
    }),
  },
})

const params = UidParams('chk')

export const mendCheck = route({
  summary: 'Mend a finding',
  notes:
    'Does what `action` says, as the endpoint for it does. `started`: the marketplaces are being told; the finding is gone once they show it. `manual`: only the seller can, by the task that is now open or on the pages of `manual`. `gone`: there was nothing left to mend. Repeating it changes nothing.',
  method: 'POST',
  path: '/api/v1/checks/{uid}/mend/',
  auth: { scope: 'listings:write' },
  params,
  body: z.strictObject({
    keep_listing_id: z
      .string()
      .max(200)
      .optional()
      .describe('For `listed_twice`: the listing that stays. Default: the oldest'),
  }),
  replies: {
    200: z.object({
      status: z.enum(['started', 'manual', 'gone']).describe('What became of it'),
      manual: Check.shape.manual,
    }),
  },
  errors: ['conflict', 'already_resolved'],
  neverLimited: true,
})

export const dismissCheck = route({
  summary: 'Accept a finding as it is, until it changes',
  notes:
    'Repeating it changes nothing. 409 for a finding that cannot be accepted, such as an item that is sold and live.',
  method: 'POST',
  path: '/api/v1/checks/{uid}/dismiss/',
  auth: { scope: 'inventory:write' },
  params,
  replies: { 204: null },
  errors: ['conflict'],
})

export const checks = { listChecks, runChecks, mendCheck, dismissCheck }
