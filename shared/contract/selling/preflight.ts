import { z } from 'zod'
import { Id } from '../../identity.ts'
import { routesOf } from '../declaring/route.ts'
import { BulkListItem, ListingOptions, listingChoices, Price, ValueSource } from './listings.ts'

const route = routesOf('Listing')
const auth = { scope: 'listings:write' } as const

/** Stable names of findings. */
export const findingCodes = [
  // Found before asking the platform.
  'not_available',
  'already_listed',
  'by_hand',
  'subscription_required',
  'address_required',
  'connection_required',
  'seller_account_required',
  'reconnect_required',
  'platform_not_configured',
  // The platform cannot answer now.
  'platform_failed',
  'unavailable',
  'not_checked',
  // About the shop and the options.
  'shop_on_vacation',
  'choice_required',
  'not_allowed',
  'recommended',
  // About the item.
  'too_long',
  'shortened',
  'changed',
  'ignored',
  'picture_required',
  'picture_format',
  'pictures_left_out',
  'invalid_price',
  'price_too_low',
  'currency',
] as const
export type FindingCode = (typeof findingCodes)[number]

const Allowed = z.array(z.object({ id: z.string().describe('The id'), name: z.string().describe('The name') }))

/** A problem of a listing, or a change that the platform will make to it. */
export const Finding = z
  .object({
    field: z
      .string()
      .describe('`title`, `images`, `price`, `state` … of the item, or `options.category_id` of the list request'),
    code: z.enum(findingCodes).describe('The stable code to branch on'),
    message: z.string().describe('A sentence for people'),
    blocking: z
      .boolean()
      .describe(
        'True: the platform would refuse the listing. False: it would accept it, or the answer is unknown (`not_checked`, `unavailable`, `platform_failed`)',
      ),
    link: z.string().optional().describe('The marketplace’s page where it can be mended'),
    allowed: Allowed.optional().describe('Values that would be taken, at most 200; other text may be taken too'),
  })
  .meta({ id: 'PreflightFinding' })
export type Finding = z.infer<typeof Finding>

/** A fee of the platform. */
export const Fee = z
  .object({
    code: z.enum(['listing_fee', 'sale_fee']).describe('The stable code to branch on'),
    charged: z.enum(['on_listing', 'on_sale']).describe('When the fee is due'),
    certain: z.boolean().describe('false: the platform charges it in some cases'),
    amount_minor: z.int().nullable().describe('null: a share of the price, or not known before'),
    currency: z.string().nullable().describe('The currency, as three letters (ISO 4217)'),
    message: z.string().describe('A sentence for people'),
  })
  .meta({ id: 'PreflightFee' })
export type Fee = z.infer<typeof Fee>

/** Findings, fees and options of a listing before anything is sent. */
export const Preflight = z
  .object({
    inventory_item_uid: z.string().describe('The item'),
    platform: z.string().describe('The platform'),
    ready: z.boolean().describe('No finding is blocking, and everything could be checked'),
    findings: z.array(Finding).describe('Reasons against the listing, and changes to it'),
    fees: z.array(Fee).describe('Fees of the platform'),
    options: ListingOptions.describe('The options that the listing would go up with'),
    price_minor: z
      .int()
      .nullable()
      .optional()
      .describe('The price that it would go up with: the given one, else that of the item by the price rule'),
    currency: z.string().optional().describe('The currency, as three letters (ISO 4217)'),
    category: z
      .object({
        id: z.string().describe('The id'),
        name: z.string().nullable().describe('The whole path. Null where the platform was not asked for it'),
        suggested: z.boolean().describe('The platform suggested it for the title; nobody chose it'),
      })
      .nullable()
      .optional()
      .describe('The category, in words'),
    proposed: z
      .array(
        z.object({
          option: z.string().describe('Its name among `options`, as in the choices'),
          label: z.string().optional().describe('The marketplace’s own words for it'),
          value: z.string().describe('The value, in words'),
          source: ValueSource.describe('The text that says it'),
        }),
      )
      .optional()
      .describe('Options that the title or the description says, and nobody chose'),
    marketplace: z.string().nullable().optional().describe("The platform's site, such as eBay US"),
    shipping: z
      .string()
      .nullable()
      .optional()
      .describe('The name of the shipping policy or profile. Null where none is chosen yet'),
  })
  .meta({ id: 'Preflight' })
export type Preflight = z.infer<typeof Preflight>

const params = listingChoices.params
const SellerAccountUid = Id('sel').optional().describe('Which shop, where several of the platform are connected')

const notes =
  'Nothing is sent to the marketplace. Reasons against the listing are an answer, not an error: also a missing subscription, address or connection. Where the marketplace cannot be asked, the finding says so.'

export const preflightItem = route({
  summary: 'What would prevent listing an item on a platform',
  notes,
  method: 'GET',
  path: '/api/v1/inventory/{uid}/platforms/{slug}/preflight/',
  auth,
  params,
  query: listingChoices.query,
  replies: { 200: Preflight },
})

/** The same for a complete list request. */
export const preflightRequest = route({
  summary: 'What would prevent a list request',
  notes: `The body is that of \`list/\`. ${notes}`,
  method: 'POST',
  path: '/api/v1/inventory/{uid}/platforms/{slug}/preflight/',
  auth,
  params,
  body: z.strictObject({
    price: Price.optional().describe('Left out: the price of the item'),
    options: ListingOptions.optional().describe('Options of the listing, such as a category'),
    seller_account_uid: SellerAccountUid,
  }),
  replies: { 200: Preflight },
})

export const bulkPreflight = route({
  summary: 'What would prevent listing many items on several platforms',
  notes: `One result per item and platform, in the order asked for, of at most 100 items in \`uids\` and \`items\` together; an id that names nothing of yours has none. \`allowed\` is left out: ask for one item. eBay is asked for the categories of 20 new titles at most; other items are \`not_checked\`. ${notes}`,
  method: 'POST',
  path: '/api/v1/inventory/bulk/preflight/',
  auth,
  body: z.strictObject({
    uids: z.array(z.string().max(40)).min(1).max(100).optional().describe('The items'),
    items: z.array(BulkListItem).min(1).max(100).optional().describe('Items with options of their own'),
    platforms: z.array(z.string().max(50)).min(1).max(5).describe('The platforms'),
    price: Price.optional().describe('Left out: the price of each item'),
    seller_account_uid: SellerAccountUid,
  }),
  replies: {
    200: z.object({
      results: z.array(Preflight).describe('The entries of this page'),
      ready: z.int().describe('Listings that nothing prevents'),
      not_ready: z.int().describe('Listings that would be refused'),
      not_checked: z.int().describe('Listings that could not be checked'),
    }),
  },
})

export const preflight = { preflightItem, preflightRequest, bulkPreflight }
