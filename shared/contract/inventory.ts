import { z } from 'zod'
import { cleanLine } from '../clean-text.ts'
import { Id } from '../identity.ts'
import { Availability, InventoryRecord } from '../inventory-record.ts'
import { Parcel, Regulatory, WeightGrams } from '../item-details.ts'
import { ListingField, PlatformSlug } from '../platforms.ts'
import { maxPriceMinor } from '../price-change.ts'
import { PriceRules } from '../price-schemas.ts'
import { alertKinds, pushKinds } from './orders.ts'
import { CursorPage, CursorQuery, wholeNumber } from './pages.ts'
import { route } from './route.ts'

/** Attributes that a platform knows beyond the record. */
export const Attributes = z.looseObject({
  brand: z.string().optional(),
  size: z.string().optional(),
  colors: z.array(z.string()).optional(),
  category: z.string().optional(),
  isbn: z.string().optional(),
  ean: z.string().optional(),
  upc: z.string().optional(),
  mpn: z.string().optional().describe("The manufacturer's part number"),
  material: z.string().optional(),
  weight_grams: z.number().optional().describe('Weight of the packed item: calculated shipping needs it'),
  parcel: z
    .object({ length_mm: z.number(), width_mm: z.number(), height_mm: z.number() })
    .optional()
    .describe('Size of the packed item: calculated shipping needs it'),
  cost_minor: z
    .number()
    .optional()
    .describe("The price that the seller paid, in minor units of the offer's currency. Not public"),
  storage_location: z.string().optional().describe('Where the seller keeps the item. Not public'),
})
export type Attributes = z.infer<typeof Attributes>

/** An update of a live listing. */
export const ListingUpdate = z
  .object({
    state: z.enum(['pending', 'failed']).describe('`failed`: the platform refused it for good'),
    fields: z.array(ListingField).describe('The fields to send'),
    error_code: z.string().nullable().describe('The code of the last failure, also while it is retried'),
    error_message: z.string().nullable().describe("The last failure, in the platform's words where it gave any"),
    at: z.iso.datetime().describe('Since when it waits, or when it failed'),
  })
  .meta({ id: 'ListingUpdate' })
export type ListingUpdate = z.infer<typeof ListingUpdate>

/** A listing of an item on a platform with its state, which the record does not contain. */
export const ItemListing = z
  .object({
    platform: PlatformSlug,
    listing_id: z.string(),
    url: z.string(),
    state: z.enum(['available', 'reserved', 'sold', 'removed']),
    price_minor: z.int(),
    currency: z.string(),
    listed_at: z.iso
      .datetime()
      .optional()
      .describe('When the platform first offered it; where it does not say, when Hapax first saw it'),
    update: ListingUpdate.optional().describe(
      'Its last update, while it is under way or refused. Only where one item is read',
    ),
  })
  .meta({ id: 'ItemListing' })
export type ItemListing = z.infer<typeof ItemListing>

/** An inventory item: the record and everything that it does not contain. */
export const InventoryItem = z
  .object({
    uid: z.string(),
    sku: z.string().nullable(),
    description: z.string(),
    attributes: Attributes,
    version: z.int(),
    created_at: z.iso.datetime(),
    updated_at: z.iso.datetime(),
    seller_account_uids: z.array(z.string()),
    listings: z.array(ItemListing).optional().describe('Its listings, ended ones included, each with its own state'),
    record: InventoryRecord,
  })
  .meta({ id: 'InventoryItem' })
export type InventoryItem = z.infer<typeof InventoryItem>

const tag = 'Inventory'

/** A SKU as one cleaned line, so that equal-looking SKUs are equal. */
export const Sku = z.string().overwrite(cleanLine).min(1).max(500)

export const listInventory = route({
  summary: 'The items of the inventory, newest first',
  notes:
    'Filters hold together. `q` finds items that have all of its words in title, brand, SKU or price, the last one also as the beginning of a word. Case, accents, apostrophes and hyphens do not count: `levis` finds Levi’s, `mat124g` finds MAT-124G. `updated_since` includes its own instant.',
  tag,
  method: 'GET',
  path: '/api/v1/inventory/',
  auth: { scope: 'inventory:read' },
  query: z.strictObject({
    state: Availability.optional(),
    platform: PlatformSlug.optional().describe('Has a listing on this platform'),
    q: z.string().min(1).max(200).optional().describe('Words of title, brand, SKU or price'),
    sku: Sku.optional(),
    updated_since: z.iso.datetime({ offset: true }).optional(),
    ...CursorQuery,
  }),
  replies: { 200: CursorPage(InventoryItem) },
})

export const getInventoryItem = route({
  summary: 'One item',
  tag,
  method: 'GET',
  path: '/api/v1/inventory/{uid}/',
  auth: { scope: 'inventory:read' },
  params: z.strictObject({ uid: Id('inv') }),
  replies: { 200: InventoryItem },
})

const ItemParams = z.strictObject({ uid: Id('inv') })
const WebAddress = z.url({ protocol: /^https?$/ }).max(4_000)
const write = { scope: 'inventory:write' } as const

/** The fields that a seller may set; the server derives the rest of the record. */
const itemFields = {
  sku: Sku.nullable(),
  description: z.string().max(600_000),
  attributes: Attributes.extend({
    brand: z.string().max(500).optional(),
    size: z.string().max(500).optional(),
    colors: z.array(z.string().max(100)).max(50).optional(),
    category: z.string().max(1_000).optional(),
    isbn: z.string().max(50).optional(),
    ean: z.string().max(50).optional(),
    upc: z.string().max(50).optional(),
    mpn: z.string().max(100).optional(),
    material: z.string().max(500).optional(),
    weight_grams: WeightGrams.optional(),
    parcel: Parcel.optional(),
    cost_minor: z.int().min(0).max(maxPriceMinor).optional(),
    storage_location: z.string().max(200).optional(),
    regulatory: Regulatory.optional().describe('Companies responsible for the product in the EU (product safety)'),
  }),
  title: z.string().trim().min(1).max(1_000),
  images: z.array(WebAddress).min(1).max(100),
  product_id: z.string().trim().min(1).max(500),
}
const conditionFields = {
  label: z.string().trim().min(1).max(500),
  notes: z.string().max(10_000),
  inspected_at: z.iso.date(),
  evidence_urls: z.array(WebAddress).max(100),
}
const offerFields = {
  price_minor: z.int().min(0).max(maxPriceMinor),
  currency: z.string().regex(/^[A-Z]{3}$/, 'must be three capital letters'),
  shipping_policy_url: WebAddress,
  returns_policy_url: WebAddress,
}

/** Creates an item that is available at once. */
export const createInventoryItem = route({
  summary: 'Add an item',
  notes:
    'The server makes ids, addresses and times. Policy addresses that are left out come from the settings, else from pages of this service.',
  tag,
  method: 'POST',
  path: '/api/v1/inventory/',
  auth: write,
  body: z.strictObject({
    title: itemFields.title,
    images: itemFields.images,
    condition: z.strictObject({
      label: conditionFields.label,
      notes: conditionFields.notes.optional(),
      inspected_at: conditionFields.inspected_at.optional().describe('Default: today'),
      evidence_urls: conditionFields.evidence_urls.optional(),
    }),
    offer: z.strictObject({
      price_minor: offerFields.price_minor,
      currency: offerFields.currency.optional().describe("Default: the currency of the seller's settings"),
      shipping_policy_url: offerFields.shipping_policy_url.optional(),
      returns_policy_url: offerFields.returns_policy_url.optional(),
    }),
    sku: itemFields.sku.optional(),
    description: itemFields.description.optional(),
    attributes: itemFields.attributes.optional(),
    product_id: itemFields.product_id.optional().describe('Default: the SKU, else the uid'),
  }),
  replies: { 201: InventoryItem },
  location: '/api/v1/inventory/{uid}/',
  errors: ['sku_in_use', 'quota_exceeded'],
  idempotent: true,
})

/**
 * Changes the given fields; with `If-Match` or `version` only if the item is still at that version. States: available,
 * reserved and withdrawn; only a sale makes it sold. Withdrawing ends its listings.
 */
export const updateInventoryItem = route({
  summary: 'Change an item',
  notes:
    'Members that are left out keep their values. `condition` and `offer` are changed member by member; `attributes`, `images`, `colors` and `evidence_urls` are replaced as a whole, and `sku: null` takes the SKU away. An item goes from available to reserved or withdrawn and back; it is sold by an order or by `mark-sold/`. A withdrawn item comes down everywhere, and a changed price is sent to every live listing that an API reaches. With `update_listings`, the changed price, title, description and pictures are sent to the live listings on those platforms, and nothing to others; `POST …/platforms/{slug}/update/` does so later.',
  headers: { 'If-Match': 'The `version` that was read, as `"3"`; instead of the member `version`. `*`: any' },
  tag,
  method: 'PATCH',
  path: '/api/v1/inventory/{uid}/',
  auth: write,
  params: ItemParams,
  body: z.strictObject({
    version: z.int().min(1).optional().describe('The version that was read; a stale one is 409'),
    state: Availability.exclude(['sold']).optional(),
    update_listings: z
      .array(PlatformSlug)
      .max(5)
      .optional()
      .describe('Platforms whose live listings get what changes. Default: all, and the price alone'),
    ...z.strictObject(itemFields).partial().shape,
    condition: z.strictObject(conditionFields).partial().optional(),
    offer: z.strictObject(offerFields).partial().optional(),
  }),
  replies: { 200: InventoryItem },
  errors: ['stale_version', 'sku_in_use', 'conflict'],
})

/** 409 while it is live anywhere. */
export const deleteInventoryItem = route({
  summary: 'Delete an item that is listed nowhere',
  tag,
  method: 'DELETE',
  path: '/api/v1/inventory/{uid}/',
  auth: write,
  params: ItemParams,
  replies: { 204: null },
  errors: ['still_listed'],
})

/** One field of an item that an act changed. Values are as a seller reads them; long ones are cut. */
export const FieldChange = z.object({
  field: z.string().describe('Such as title, price, sku or brand'),
  from: z.string().nullable(),
  to: z.string().nullable(),
})
export type FieldChange = z.infer<typeof FieldChange>

/** An act in an item's history. */
export const HistoryEntry = z
  .object({
    version: z.int().describe('Of the item, that the state came with'),
    at: z.iso.datetime(),
    actor: z.string().describe('Actor: user, import, sale ...'),
    from_state: Availability.nullable(),
    to_state: Availability,
    reason: z.string(),
    reference: z.string().nullable().describe('Such as an import job or an order'),
    changes: z
      .array(FieldChange)
      .optional()
      .describe('Old and new values; where `from_state` is `to_state` the act moved no state'),
  })
  .meta({ id: 'HistoryEntry' })
export type HistoryEntry = z.infer<typeof HistoryEntry>

/** Newest first. */
export const getInventoryHistory = route({
  summary: 'Every act on an item: who, when, why',
  notes: 'Newest first, at most 1,000; `before_version` with the `version` of the last one goes on.',
  tag,
  method: 'GET',
  path: '/api/v1/inventory/{uid}/history/',
  auth: { scope: 'inventory:read' },
  params: ItemParams,
  query: z.strictObject({
    before_version: z
      .string()
      .regex(/^\d{1,9}$/, 'must be a version')
      .transform(Number)
      .optional()
      .describe('Only states of older versions')
      .meta(wholeNumber(0)),
  }),
  replies: { 200: z.array(HistoryEntry) },
})

/** Items of one product. */
export const Product = z
  .object({
    product_id: z.string(),
    title: z.string().describe('Of the newest item'),
    items: z.int(),
    available: z.int().describe('How many of the items are available'),
  })
  .meta({ id: 'Product' })
export type Product = z.infer<typeof Product>

export const listProducts = route({
  summary: 'The products of the inventory, by their id',
  tag,
  method: 'GET',
  path: '/api/v1/products/',
  auth: { scope: 'inventory:read' },
  query: z.strictObject(CursorQuery),
  replies: { 200: CursorPage(Product) },
})

/** Defaults for what a listing or a new item lacks. */
export const SellerSettings = z
  .object({
    shipping_policy_url: WebAddress.nullable(),
    returns_policy_url: WebAddress.nullable(),
    default_currency: offerFields.currency.nullable(),
    sku_required: z.boolean().describe('Imports ask for a SKU where a listing has none (missing_sku)'),
    alert_mails: z.array(z.enum(alertKinds)).describe('Kinds of alerts that are mailed, each once'),
    push_kinds: z
      .array(z.enum(pushKinds))
      .describe('Kinds of notifications that the browsers of `web-push/` get, each once'),
    price_rules: PriceRules.describe(
      "Prices by platform. A rule applies when an item is listed there without a price, and when an item's price changes. Listings that are live keep their price until then",
    ),
  })
  .meta({ id: 'SellerSettings' })
export type SellerSettings = z.infer<typeof SellerSettings>

export const getSettings = route({
  summary: "The seller's settings",
  tag,
  method: 'GET',
  path: '/api/v1/user/settings/',
  auth: { scope: 'inventory:read' },
  replies: { 200: SellerSettings },
})

/** Replaces all settings; absent ones are unset. */
export const putSettings = route({
  summary: "Replace the seller's settings",
  notes: 'Replaces the whole: what is left out is unset.',
  tag,
  method: 'PUT',
  path: '/api/v1/user/settings/',
  auth: write,
  body: z.strictObject({
    shipping_policy_url: WebAddress.nullable().optional(),
    returns_policy_url: WebAddress.nullable().optional(),
    default_currency: offerFields.currency.nullable().optional(),
    sku_required: z.boolean().optional(),
    alert_mails: z
      .array(z.enum(alertKinds))
      .max(20)
      .optional()
      .describe('Default: all but relist_offer, update_refused and listing_refused'),
    push_kinds: z
      .array(z.enum(pushKinds))
      .max(20)
      .optional()
      .describe('Default: all but relist_offer, update_refused and listing_refused'),
    price_rules: PriceRules.optional(),
  }),
  replies: { 200: SellerSettings },
})

export const AccountCurrency = z
  .object({
    currency: offerFields.currency.nullable().describe('Null where nothing names one'),
    source: z
      .enum(['settings', 'shop', 'address'])
      .nullable()
      .describe(
        'The source that names it: `default_currency` of the settings, else the currency of a connected shop, else the country of the primary address',
      ),
  })
  .meta({ id: 'AccountCurrency' })
export type AccountCurrency = z.infer<typeof AccountCurrency>

export const getAccountCurrency = route({
  summary: 'The currency to propose for a new item',
  notes: 'It does not depend on the items. A new item still has to name its currency where the settings name none.',
  tag,
  method: 'GET',
  path: '/api/v1/user/currency/',
  auth: { scope: 'inventory:read' },
  replies: { 200: AccountCurrency },
})

export const inventory = {
  listInventory,
  createInventoryItem,
  getInventoryItem,
  updateInventoryItem,
  deleteInventoryItem,
  getInventoryHistory,
  listProducts,
  getSettings,
  putSettings,
  getAccountCurrency,
}
