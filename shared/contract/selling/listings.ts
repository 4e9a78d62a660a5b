import { z } from 'zod'
import { Id } from '../../identity.ts'
import { Availability } from '../../item/inventory-record.ts'
import { ItemEdit } from '../../item/item-edit-schemas.ts'
import { ListingField, type OAuthSlug, PlatformSlug } from '../../platforms.ts'
import { maxPriceMinor } from '../../price-change.ts'
import { PriceChange } from '../../price-schemas.ts'
import { CountedPage, PageQuery } from '../declaring/pages.ts'
import { param, SlugParams, UidParams } from '../declaring/params.ts'
import { routesOf } from '../declaring/route.ts'

const route = routesOf('Listing')
const auth = { scope: 'listings:write' } as const
const SellerAccountUid = Id('sel').optional().describe('Which shop, where several of the platform are connected')
const itemOnPlatform = z.strictObject({
  uid: Id('inv').meta(param('The id in the path')),
  slug: z.string().max(50).meta(param('The platform by its short name')),
})

/** A decimal price: digits, at most two decimals. The handler refuses zero. */
export const Price = z.string().regex(/^\d{1,10}(\.\d{1,2})?$/, 'must be a decimal price such as "24.00"')

/** The result of a listing. `manual`: the seller completes it in the platform's form, as a task. */
export const ListingResult = z
  .object({
    status: z.enum(['listed', 'pending', 'manual', 'delisting', 'delisted', 'not_listed']).describe('The status'),
    listing_url: z.string().describe('The address of the listing'),
    listing_id: z.string().describe('The id of the listing on the platform'),
    change_uid: z
      .string()
      .optional()
      .describe('The change that can be undone, of a take-down; absent where no live listing was ended'),
  })
  .meta({ id: 'ListingResult' })
export type ListingResult = z.infer<typeof ListingResult>

const Site = z.string().regex(/^EBAY_[A-Z_]{2,20}$/, 'must be the id of an eBay site, such as EBAY_US')

const Whole = z.string().regex(/^[1-9]\d{0,6}$/, 'must be a whole number')

/** Platform-specific options. Absent ones default to the seller's, else to the only or suggested one. */
export const ListingOptions = z.strictObject({
  marketplace_id: Site.optional().describe('The site (eBay), such as EBAY_US'),
  category_id: z.string().max(50).optional().describe('The category by its id (eBay)'),
  aspects: z
    .record(z.string().max(100), z.array(z.string().max(200)).max(30))
    .optional()
    .describe("The category's item specifics (eBay) or properties (Etsy), each with its values"),
  condition: z.string().max(50).optional().describe('The condition of the item'),
  payment_policy_id: z.string().max(50).optional().describe('The payment policy (eBay)'),
  fulfillment_policy_id: z.string().max(50).optional().describe('The shipping policy (eBay)'),
  return_policy_id: z.string().max(50).optional().describe('The return policy'),
  shipping_service: z
    .string()
    .max(80)
    .optional()
    .describe('The shipping service where the seller has no policies (eBay)'),
  shipping_cost: Price.optional().describe('What the buyer pays for shipping (eBay)'),
  handling_days: z
    .string()
    .regex(/^\d{1,2}$/)
    .optional()
    .describe('Working days until it is sent (eBay)'),
  returns_within: z.enum(['none', '30', '60']).optional().describe('Days in which it can be returned (eBay)'),
  taxonomy_id: z.string().max(50).optional().describe('The category by its id (Etsy)'),
  who_made: z.enum(['i_did', 'someone_else', 'collective']).optional().describe('Who made it (Etsy)'),
  when_made: z.string().max(50).optional().describe('When it was made (Etsy)'),
  is_supply: z.enum(['true', 'false']).optional().describe('Whether it is a supply for making things (Etsy)'),
  production_partner_ids: z
    .string()
    .max(50)
    .optional()
    .describe('The production partner of the shop that made it, by its id (Etsy)'),
  shipping_profile_id: z.string().max(50).optional().describe('The shipping profile (Etsy)'),
  readiness_state_id: z.string().max(50).optional().describe('The processing time (Etsy)'),
  condition_descriptors: z
    .record(z.string().regex(/^\d{1,10}$/), z.string().max(100))
    .optional()
    .describe('More about the condition where a category grades it (trading cards), by the id of the descriptor'),
  weight_grams: Whole.optional().describe('Weight of the packed item; kept with the item'),
  parcel_length_mm: Whole.optional().describe('Size of the packed item; kept with the item'),
  parcel_width_mm: Whole.optional().describe('The width of the parcel in millimeters'),
  parcel_height_mm: Whole.optional().describe('The height of the parcel in millimeters'),
  isbn: z.string().max(50).optional().describe('Kept with the item, as are `ean`, `upc` and `mpn`'),
  ean: z.string().max(50).optional().describe('The European Article Number'),
  upc: z.string().max(50).optional().describe('The Universal Product Code'),
  mpn: z.string().max(100).optional().describe("The manufacturer's part number"),
})
export type ListingOptions = z.infer<typeof ListingOptions>

/** One live listing per item and platform, whatever is retried. */
export const listItem = route({
  summary: 'List an item on a platform',
  notes:
    '200 when it is settled, 202 with `pending` when it takes longer than 12 s: then the events `listing.listed` or `listing.failed` tell the outcome, and so does the same request again. Where it is live already, the answer is the live listing, with its price as it is. `manual`: a task for the seller, who fills in the form at `listing_url`.',
  method: 'POST',
  path: '/api/v1/inventory/{uid}/platforms/{slug}/list/',
  auth,
  params: itemOnPlatform,
  body: z.strictObject({
    price: Price.optional().describe('Default: the price of the item, by the price rule of the platform'),
    options: ListingOptions.optional().describe('Options of the listing, such as a category'),
    seller_account_uid: SellerAccountUid,
  }),
  replies: { 200: ListingResult, 202: ListingResult },
  errors: [
    'subscription_required',
    'address_required',
    'connection_required',
    'seller_account_required',
    'choice_required',
    'not_available',
    'conflict',
    'reconnect_required',
    'platform_not_configured',
    'platform_failed',
  ],
  idempotent: true,
})

/** Never refused for subscription or rate limit. */
export const delistItem = route({
  summary: 'Take an item down from a platform',
  notes:
    '200 when it is proven to be down, 202 with `delisting` when that takes longer than 12 s: then the events `listing.delisted` or `listing.delist_overdue` tell. `not_listed`: there was nothing to take down; the texts are then empty.',
  method: 'POST',
  path: '/api/v1/inventory/{uid}/platforms/{slug}/delist/',
  auth,
  params: itemOnPlatform,
  replies: { 200: ListingResult, 202: ListingResult },
  idempotent: true,
  neverLimited: true,
})

/** Changes the price of a live listing. */
export const changeListingPrice = route({
  summary: 'Change the price of a live listing',
  method: 'POST',
  path: '/api/v1/inventory/{uid}/platforms/{slug}/price/',
  auth,
  params: itemOnPlatform,
  body: z.strictObject({ price: Price.describe('Decimal text such as "24.00", in the currency of the item') }),
  replies: { 200: ListingResult, 202: ListingResult },
  errors: ['not_available', 'reconnect_required', 'platform_not_configured', 'platform_failed'],
  idempotent: true,
})

/** Sends the item's content to a live listing. */
export const updateListing = route({
  summary: 'Send the content of an item to its live listing',
  notes:
    'What the item holds now goes to the listing, which keeps everything else. 200 when the platform took it, 202 with `pending` when it takes longer than 12 s: then the events `listing.updated` or `listing.failed` tell the outcome. The platform may refuse a field, such as the title of a listing with bids: that is `platform_failed` with its reason. `GET /api/v1/platforms/` names the fields that can be changed on a platform.',
  method: 'POST',
  path: '/api/v1/inventory/{uid}/platforms/{slug}/update/',
  auth,
  params: itemOnPlatform,
  body: z.strictObject({ fields: z.array(ListingField).min(1).max(4).describe('The fields to send') }),
  replies: { 200: ListingResult, 202: ListingResult },
  errors: ['not_available', 'reconnect_required', 'platform_not_configured', 'platform_failed'],
  idempotent: true,
})

/** A text of an item that a proposed value comes from. */
export const ValueSource = z.enum(['title', 'description'])

/** One option of a listing. */
export const Choice = z
  .object({
    option: z
      .string()
      .describe(
        'Its name among `options` of `list/`; `aspects.Brand` is `Brand` of `aspects`, and so with `condition_descriptors`',
      ),
    label: z.string().optional().describe('The marketplace’s own words for it'),
    required: z.boolean().describe('Whether it has to be chosen'),
    values: z
      .array(
        z.object({
          id: z.string().describe('The id'),
          name: z.string().describe('The name'),
          suggested: z.boolean().optional().describe('Whether it fits best'),
        }),
      )
      .describe('The values to choose from'),
    default_id: z.string().nullable().describe('The default when left out; null: none'),
    link: z.string().optional().describe('The marketplace’s page where a missing value is made'),
    free_text: z.boolean().describe('Other text than the values is taken too'),
    source: ValueSource.optional().describe('The text that says the suggested value, where no attribute does'),
  })
  .meta({ id: 'Choice' })
export type Choice = z.infer<typeof Choice>

const SiteId = Site.optional().describe('The site that is chosen: policies and categories are those of a site (eBay)')

const PolicyId = z.string().max(50).optional()

/** Errors when a platform's options cannot be read. */
const askingErrors = [
  'address_required',
  'connection_required',
  'seller_account_required',
  'reconnect_required',
  'platform_not_configured',
  'platform_failed',
] as const

/** Options for this item on this platform, with suggestions and the seller's defaults. */
export const listingChoices = route({
  summary: 'What to choose before listing an item on a platform',
  notes:
    'Some choices hang on others: ask again with `marketplace_id` and `category_id` (eBay) or `taxonomy_id` (Etsy) when the seller has chosen another site or category. Other categories than those offered are found by `GET …/platforms/{slug}/categories/`.',
  method: 'GET',
  path: '/api/v1/inventory/{uid}/platforms/{slug}/choices/',
  auth,
  params: itemOnPlatform,
  query: z.strictObject({
    seller_account_uid: SellerAccountUid,
    marketplace_id: SiteId,
    category_id: z
      .string()
      .max(50)
      .optional()
      .describe('The category that is chosen: `aspects` are those of a category (eBay)'),
    taxonomy_id: z
      .string()
      .max(50)
      .optional()
      .describe('The category that is chosen: some categories require `aspects` (Etsy)'),
    fulfillment_policy_id: PolicyId.describe('Calculated shipping asks for weight and parcel size (eBay)'),
    condition: z.string().max(50).optional().describe('Some conditions ask for more about them (eBay)'),
    shipping_profile_id: PolicyId.describe('Calculated shipping asks for weight and parcel size (Etsy)'),
  }),
  replies: { 200: z.object({ choices: z.array(Choice).describe('Options to choose from') }) },
  errors: [...askingErrors],
})

/** Options that apply to a whole shop, for a screen of defaults. */
export const shopChoices = route({
  summary: 'What can be chosen once for all that is listed on a platform',
  notes:
    'What `listing-defaults/` can keep: the site, the policies and profiles of the shop, who made its things. Empty where only the seller can list. `default_id` is the seller’s default, else the only or suggested value.',
  method: 'GET',
  path: '/api/v1/platforms/{slug}/choices/',
  auth,
  params: SlugParams,
  query: z.strictObject({ seller_account_uid: SellerAccountUid, marketplace_id: SiteId }),
  replies: { 200: z.object({ choices: z.array(Choice).describe('Options to choose from') }) },
  errors: [...askingErrors],
})

/** Searches categories by words. */
export const searchCategories = route({
  summary: "Search a platform's categories",
  notes:
    'At most 20, the best first, each by its whole path; their ids are `category_id` (eBay) and `taxonomy_id` (Etsy). Empty where only the seller can list.',
  method: 'GET',
  path: '/api/v1/platforms/{slug}/categories/',
  auth,
  params: SlugParams,
  query: z.strictObject({
    q: z.string().trim().min(1).max(100).describe('Words of the category, or of the thing'),
    seller_account_uid: SellerAccountUid,
    marketplace_id: SiteId,
  }),
  replies: {
    200: z.object({
      results: z
        .array(z.object({ id: z.string().describe('The id'), name: z.string().describe('The name') }))
        .describe('The entries of this page'),
    }),
  },
  errors: [...askingErrors],
})

/** The seller's default options per platform. */
export const getListingDefaults = route({
  summary: "The seller's default choices on a platform",
  method: 'GET',
  path: '/api/v1/platforms/{slug}/listing-defaults/',
  auth,
  params: SlugParams,
  replies: { 200: ListingOptions },
})

export const putListingDefaults = route({
  summary: "Set the seller's default choices on a platform",
  method: 'PUT',
  path: '/api/v1/platforms/{slug}/listing-defaults/',
  auth,
  params: SlugParams,
  body: ListingOptions,
  replies: { 200: ListingOptions },
})

/** Sold outside the platforms (in person): ends its listings everywhere. */
export const markItemSold = route({
  summary: 'Mark an item as sold elsewhere; it comes down everywhere',
  notes:
    'Repeating it returns the same answer. The item’s history and the event `sale.recorded` show the sale. It is no order of a platform: only `GET /api/v1/orders/?platform=outside` lists it.',
  method: 'POST',
  path: '/api/v1/inventory/{uid}/mark-sold/',
  auth,
  params: UidParams('inv'),
  body: z.strictObject({
    note: z.string().max(500).optional().describe('A note for the history of the item'),
    price_minor: z
      .int()
      .min(0)
      .max(maxPriceMinor)
      .optional()
      .describe("In the item's currency. Default: the item's price"),
  }),
  replies: {
    200: z.object({
      uid: z.string().describe('The id'),
      state: z.literal('sold').describe('The state of the item'),
      taking_down: z.array(PlatformSlug).describe('Where the item is being taken down'),
      change_uid: z.string().optional().describe('The change that can be undone'),
    }),
  },
  errors: ['not_available'],
  idempotent: true,
  neverLimited: true,
})

/** Undoes markItemSold, or a sale that a page or a mail told of. */
export const takeBackSale = route({
  summary: 'Take back a sale that was marked by hand or told by a page or a mail, or was refunded before shipping',
  notes:
    'The item is as it was before and can be listed again; ended listings stay ended. An item that a page or a mail only holds is freed, and `change_uid` undoes that. Cancel a sale on a platform there.',
  method: 'POST',
  path: '/api/v1/inventory/{uid}/mark-unsold/',
  auth,
  params: UidParams('inv'),
  body: z.strictObject({ note: z.string().max(500).optional().describe('A note for the history of the item') }),
  replies: {
    200: z.object({
      uid: z.string().describe('The id'),
      state: Availability.describe('The state of the item'),
      change_uid: z.string().optional().describe('Of a freed hold: the change, see `undoChange`'),
    }),
  },
  errors: ['conflict'],
  idempotent: true,
  worksOnLowDisk: true,
})

const maxBulkItems = 10_000
const uids = z.array(z.string().max(40)).min(1).max(maxBulkItems).describe('The items')
const slugs = z.array(z.string().max(50)).min(1).max(5).describe('The platforms')

const BulkJobStatus = z.enum(['pending', 'in_progress', 'completed', 'cancelled'])

/** Bulk job. */
export const BulkJob = z
  .object({
    uid: z.string().describe('The id'),
    action: z.enum(['list', 'delist', 'price', 'edit']).describe('The kind of act'),
    status: BulkJobStatus.describe('The status'),
    total: z.int().describe('How many there are in all'),
    succeeded: z.int().describe('Results that succeeded'),
    failed: z.int().describe('Results that failed'),
    pending: z.int().describe('Results that are still to come'),
    manual: z.int().describe('Left to the seller, as tasks'),
    cancelled: z.int().describe('Results that were canceled before they began'),
    created_at: z.iso.datetime().describe('When it was created'),
    completed_at: z.iso.datetime().nullable().describe('When it ended; null while it runs'),
    change_uid: z
      .string()
      .nullable()
      .describe('The change that can be undone; null for listings, and until something has changed'),
  })
  .meta({ id: 'BulkJob' })
export type BulkJob = z.infer<typeof BulkJob>

const BulkResultStatus = z.enum(['pending', 'succeeded', 'failed', 'manual', 'cancelled'])

export const BulkResult = z.object({
  inventory_item_uid: z.string().describe('The item'),
  platform: z.string().describe('Empty for an edit of an item, or a change of its price'),
  status: BulkResultStatus.describe('The status'),
  listing_id: z.string().nullable().describe('The id of the listing on the platform'),
  listing_url: z.string().nullable().describe('The address of the listing'),
  error_code: z.string().nullable().describe('The code of the error'),
  error_message: z.string().nullable().describe('The error, in a sentence'),
  verified_at: z.iso.datetime().nullable().describe('When the marketplace was read back'),
})
export type BulkResult = z.infer<typeof BulkResult>

/** Options by the platform that they are for. The seller chooses the others in the platform's own form. */
export const OptionsByPlatform = z
  .strictObject({
    ebay: ListingOptions.optional().describe('Options on eBay'),
    etsy: ListingOptions.optional().describe('Options on Etsy'),
  } satisfies Record<OAuthSlug, z.ZodType>)
  .meta({ id: 'OptionsByPlatform' })
export type OptionsByPlatform = z.infer<typeof OptionsByPlatform>

export const BulkListItem = z
  .strictObject({
    uid: z.string().max(40).describe('The id'),
    options: OptionsByPlatform.optional().describe('Options of this item, before those of the request'),
  })
  .meta({ id: 'BulkListItem' })

export const bulkList = route({
  summary: 'List many items on several platforms',
  notes:
    'Every item on every platform has an outcome of its own, whatever becomes of the others: `GET /api/v1/inventory/bulk/{uid}/`. Name the items in `uids`, or in `items` where they need options such as a category; `options` holds for all. An item given twice in `uids` counts once; an id that names nothing of yours is `failed` with `not_found`. Each `error_code` is one of the error codes of this document. Without `price` each item has its own, by the price rule of the platform.',
  method: 'POST',
  path: '/api/v1/inventory/bulk/list/',
  auth,
  body: z.strictObject({
    uids: uids.optional(),
    items: z.array(BulkListItem).min(1).max(maxBulkItems).optional().describe('Items with options of their own'),
    platforms: slugs,
    price: Price.optional().describe('Left out: the price of each item, by the price rule of the platform'),
    options: OptionsByPlatform.optional().describe('Options of all items, as `list/` takes them'),
    seller_account_uid: SellerAccountUid,
  }),
  replies: { 202: BulkJob },
  errors: ['subscription_required', 'address_required'],
  idempotent: true,
  largeBody: 'bulk',
})

export const bulkDelist = route({
  summary: 'Take many items down from several platforms',
  notes:
    'Every item on every platform has an outcome of its own, whatever becomes of the others: `GET /api/v1/inventory/bulk/{uid}/`. An item given twice counts once; an id that names nothing of yours is `failed` with `not_found`. Each `error_code` is one of the error codes of this document.',
  method: 'POST',
  path: '/api/v1/inventory/bulk/delist/',
  auth,
  body: z.strictObject({ uids, platforms: slugs }),
  replies: { 202: BulkJob },
  idempotent: true,
  neverLimited: true,
})

export const bulkPrice = route({
  summary: 'Change the prices of many items',
  notes:
    'Sets the price of each item, and of its live listings by the price rule of their platform. Listings in another currency keep their price. Every item has an outcome of its own: `GET /api/v1/inventory/bulk/{uid}/`. An item that is sold, in another currency, without a price, or whose price would not be above zero is `failed` and keeps its price. The change can be undone: `POST /api/v1/changes/{change_uid}/undo/`.',
  method: 'POST',
  path: '/api/v1/inventory/bulk/price/',
  auth,
  body: z.strictObject({ uids, change: PriceChange }),
  replies: { 202: BulkJob },
  idempotent: true,
})

export const bulkEdit = route({
  summary: 'Edit fields of many items',
  notes:
    'Each step of `edits` changes a field of every item, in their order: sets it, clears it, adds to its text, replaces words in it, or numbers the SKUs. Every item has an outcome of its own: `GET /api/v1/inventory/bulk/{uid}/`. An item whose title or condition would be empty, whose text would be too long, or whose SKU another item has, is `failed` and keeps all its fields. Live listings stay as they are, unless `update_listings` names their platform. The edit can be undone: `POST /api/v1/changes/{change_uid}/undo/`. Prices are changed by `bulk/price/`.',
  method: 'POST',
  path: '/api/v1/inventory/bulk/edit/',
  auth,
  body: z.strictObject({
    uids,
    edits: z.array(ItemEdit).min(1).max(20).describe('The steps, in their order'),
    update_listings: z
      .array(PlatformSlug)
      .max(5)
      .optional()
      .describe('Platforms whose live listings get a changed title, description or condition'),
  }),
  replies: { 202: BulkJob },
  idempotent: true,
  largeBody: 'bulk',
})

export const getBulkJob = route({
  summary: 'A bulk job with its per-item results',
  notes: 'The members of the job as every answer has them, and again in `job`.',
  method: 'GET',
  path: '/api/v1/inventory/bulk/{uid}/',
  auth,
  params: UidParams('blk'),
  query: z.strictObject({
    status: BulkResultStatus.optional().meta(param('The status')),
    ...PageQuery,
  }),
  replies: { 200: CountedPage(BulkResult).extend({ ...BulkJob.shape, job: BulkJob }) },
})

/** Cancels what has not begun. */
export const cancelBulkJob = route({
  summary: 'Stop a bulk job',
  method: 'POST',
  path: '/api/v1/inventory/bulk/{uid}/cancel/',
  auth,
  params: UidParams('blk'),
  replies: { 200: BulkJob },
})

export const listBulkJobs = route({
  summary: 'The bulk jobs, newest first',
  method: 'GET',
  path: '/api/v1/inventory/bulk/',
  auth,
  query: z.strictObject({
    status: BulkJobStatus.optional().meta(param('The status')),
    ...PageQuery,
  }),
  replies: { 200: CountedPage(BulkJob) },
})

/** Mounted before the paths with an item's uid. */
export const bulkJobs = { listBulkJobs }

export const listings = {
  listItem,
  delistItem,
  changeListingPrice,
  updateListing,
  listingChoices,
  shopChoices,
  searchCategories,
  getListingDefaults,
  putListingDefaults,
  markItemSold,
  takeBackSale,
  bulkList,
  bulkDelist,
  bulkPrice,
  bulkEdit,
  getBulkJob,
  cancelBulkJob,
}
