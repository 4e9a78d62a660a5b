import { z } from 'zod'
import { Id } from '../../identity.ts'
import { PlatformSlug } from '../../platforms.ts'
import { CountedPage, PageQuery } from '../declaring/pages.ts'
import { param } from '../declaring/params.ts'
import { routesOf } from '../declaring/route.ts'
import { Change } from './changes.ts'

export const DifferenceField = z.enum([
  'title',
  'description',
  'price',
  'photos',
  'quantity',
  'condition',
  'category',
  'sku',
  'details',
])
export type DifferenceField = z.infer<typeof DifferenceField>

export const DifferenceState = z.enum(['open', 'ignored'])
export type DifferenceState = z.infer<typeof DifferenceState>

export const DifferenceAction = z.enum(['adopt', 'overwrite', 'ignore'])
export type DifferenceAction = z.infer<typeof DifferenceAction>

/** Why Hapax cannot give a listing the item's value. */
export const CannotOverwrite = z.enum([
  'no_api',
  'not_supported',
  'ended',
  'not_available',
  'other_currency',
  'no_price',
])
export type CannotOverwrite = z.infer<typeof CannotOverwrite>

/** A field whose values at an item and at its live listing are unlike. */
export const Difference = z
  .object({
    uid: z.string().describe('The id'),
    inventory_item_uid: z.string().describe('The item'),
    item_title: z.string().describe('Title of the item'),
    item_image: z.string().nullable().describe('Address of its first photo'),
    marketplace: PlatformSlug.describe('The platform'),
    listing_url: z.string().nullable().describe('The address of the listing'),
    field: DifferenceField.describe(
      'Field with two values. From `quantity` on: noticed when Hapax read a listing back that it had sent, and only to ignore; `details` are item specifics, materials, who made it and when',
    ),
    mine: z
      .string()
      .describe(
        'Value of the item: text of at most 1,000 characters, a decimal price, or the number of photos; from `quantity` on: the value that was sent',
      ),
    theirs: z.string().describe('Value of the listing, as it was last read'),
    mine_currency: z.string().nullable().describe('Of a price'),
    theirs_currency: z.string().nullable().describe('Of a price'),
    mine_photos: z.array(z.string()).nullable().describe('Addresses, only for `photos`'),
    theirs_photos: z.array(z.string()).nullable().describe('Addresses, only for `photos`'),
    state: DifferenceState.describe('The state of the item'),
    noticed_at: z.iso.datetime().describe("When the platform's value was first read"),
    can_overwrite: z.boolean().describe('Hapax can give the listing the value of the item'),
    cannot_overwrite_reason: CannotOverwrite.nullable().describe(
      '`no_api`: only the seller can change listings there. `not_supported`: this field cannot be changed there. ' +
        '`not_available`: the item is not for sale. `other_currency`, `no_price`: the listing cannot take the price of the item',
    ),
  })
  .meta({ id: 'Difference' })
export type Difference = z.infer<typeof Difference>

const route = routesOf('Differences')

export const listDifferences = route({
  summary: 'Differences between items and their live listings, newest first',
  notes:
    'Hapax compares when it reads a listing again: after listing or changing it on eBay and Etsy, by an import, or through the extension. A value that Hapax sent is no difference.',
  method: 'GET',
  path: '/api/v1/differences/',
  auth: { scope: 'inventory:read' },
  query: z.strictObject({
    marketplace: PlatformSlug.optional().meta(param('The platform')),
    item: Id('inv').optional().describe('Only of this item'),
    state: DifferenceState.optional().describe('Default `open`'),
    ...PageQuery,
  }),
  replies: { 200: CountedPage(Difference) },
})

export const LeftDifference = z.object({
  uid: z.string().describe('The id'),
  reason: z
    .enum([...CannotOverwrite.options, 'not_found', 'changed_since', 'already_decided'])
    .describe('The reason, in words'),
})
export type LeftDifference = z.infer<typeof LeftDifference>

export const decideDifferences = route({
  summary: 'Decide about differences',
  notes:
    '`adopt`: the item takes the value of the listing. `overwrite`: the listing gets the value of the item, by an update that is queued. ' +
    '`ignore`: the difference is hidden until the value on the platform changes again. Differences that cannot be decided so are named in `left`. The rest is one change, which can be undone for 30 days.',
  method: 'POST',
  path: '/api/v1/differences/decide/',
  auth: { scope: 'inventory:write' },
  body: z.strictObject({
    action: DifferenceAction.describe('The kind of act'),
    differences: z.array(Id('dif')).min(1).max(500).describe('Their ids'),
  }),
  replies: {
    200: z.object({
      change: Change.nullable().describe('Null where nothing was done'),
      done: z.int().describe('How many were decided'),
      left: z.array(LeftDifference).describe('Differences that stay as they are, each with its reason'),
    }),
  },
})

export const differences = { listDifferences, decideDifferences }
