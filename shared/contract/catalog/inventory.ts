import { z } from 'zod'
import { cleanLine } from '../../clean-text.ts'
import { Availability, InventoryRecord } from '../../item/inventory-record.ts'
import { Parcel, Particulars, Regulatory, WeightGrams } from '../../item/item-details.ts'
import { ListingTerms } from '../../listing.ts'
import { textKinds } from '../../listing-texts.ts'
import { ListingField, PlatformSlug } from '../../platforms.ts'
import { maxPriceMinor } from '../../price-change.ts'
import { PriceRules } from '../../price-schemas.ts'
import { CursorPage, CursorQuery, wholeNumber } from '../declaring/pages.ts'
import { param, UidParams } from '../declaring/params.ts'
import { routesOf } from '../declaring/route.ts'
import { alertKinds, pushKinds } from '../selling/orders.ts'

/** Attributes that a platform knows beyond the record. */
export const Attributes = z.looseObject({
  brand: z.string().optional().describe('The brand'),
  size: z.string().optional().describe('The size, in words'),
  colors: z.array(z.string()).optional().describe('The colors, in words'),
  category: z.string().optional().describe('The category, in words'),
  isbn: z.string().optional().describe('The International Standard Book Number'),
  ean: z.string().optional().describe('The European Article Number'),
  upc: z.string().optional().describe('The Universal Product Code'),
  mpn: z.string().optional().describe("The manufacturer's part number"),
  material: z.string().optional().describe('The material'),
  weight_grams: z.number().optional().describe('Weight of the packed item: calculated shipping needs it'),
  parcel: z
    .object({
      length_mm: z.number().describe('The length in millimeters'),
      width_mm: z.number().describe('The width in millimeters'),
      height_mm: z.number().describe('The height in millimeters'),
    })
    .optional()
    .describe('Size of the packed item: calculated shipping needs it'),
  particulars: z
    .record(z.string(), z.union([z.number(), z.string()]))
    .optional()
    .describe('Measurements in millimeters, and other particulars of its kind as text'),
  flaws: z
    .array(
      z.object({ text: z.string().describe('The flaw in words'), photo: z.string().optional().describe('Its photo') }),
    )
    .optional()
    .describe('Flaws, each with the photo that shows it. The notes on the condition tell them, too'),
  draft: z.boolean().optional().describe('The seller has yet to finish it. It ends when the item becomes available'),
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
    platform: PlatformSlug.describe('The platform'),
    listing_id: z.string().describe('The id of the listing on the platform'),
    url: z.string().describe('The address'),
    state: z.enum(['available', 'reserved', 'sold', 'removed']).describe('The state of the item'),
    price_minor: z.int().describe('The price in minor units of its currency'),
    currency: z.string().describe('The currency, as three letters (ISO 4217)'),
    listed_at: z.iso
      .datetime()
      .optional()
      .describe('When the platform first offered it; where it does not say, when Hapax first saw it'),
    update: ListingUpdate.optional().describe(
      'Its last update, while it is under way or refused. Only where one item is read',
    ),
    ...ListingTerms.shape,
    note: z
      .string()
      .optional()
      .describe(
        'What Hapax cannot protect while it is live, in words: an auction, a hold. Where one item is read, also that its end was said and not seen yet, and what the platform warned of at its last change',
      ),
  })
  .meta({ id: 'ItemListing' })
export type ItemListing = z.infer<typeof ItemListing>

/** An inventory item: the record and everything that it does not contain. */
export const InventoryItem = z
  .object({
    uid: z.string().describe('The id'),
    sku: z.string().nullable().describe("The seller's own number of the item"),
    description: z.string().describe('A text for people'),
    attributes: Attributes.describe('Attributes beyond the record. Others than these are kept as they are sent'),
    version: z.int().describe('Grows with each change'),
    created_at: z.iso.datetime().describe('When it was created'),
    updated_at: z.iso.datetime().describe('When it last changed'),
    seller_account_uids: z.array(z.string()).describe('The shops that have the item'),
    listings: z.array(ItemListing).optional().describe('Its listings, ended ones included, each with its own state'),
    notes: z.array(z.string()).optional().describe('The notes of its live listings, each after its marketplace'),
    change_uid: z
      .string()
      .optional()
      .describe('Only in the answer to its withdrawal: the change, which `undoChange` undoes'),
    record: InventoryRecord,
  })
  .meta({ id: 'InventoryItem' })
export type InventoryItem = z.infer<typeof InventoryItem>

const route = routesOf('Inventory')

/** A SKU as one cleaned line, so that equal-looking SKUs are equal. */
export const Sku = z.string().overwrite(cleanLine).min(1).max(500)

export const listInventory = route({
  summary: 'The items of the inventory, newest first',
  notes:
    'Filters hold together. `q` finds items that have all of its words in title, brand, SKU or price, the last one also as the beginning of a word. Case, accents, apostrophes and hyphens do not count: `levis` finds Levi’s, `mat124g` finds MAT-124G. `updated_since` includes its own instant.',
  method: 'GET',
  path: '/api/v1/inventory/',
  auth: { scope: 'inventory:read' },
  query: z.strictObject({
    state: Availability.optional().meta(param('The state of the item')),
    platform: PlatformSlug.optional().describe('Has a listing on this platform'),
    q: z.string().min(1).max(200).optional().describe('Words of title, brand, SKU or price'),
    sku: Sku.optional().meta(param("The seller's own number of the item")),
    updated_since: z.iso.datetime({ offset: true }).optional().meta(param('Changed at this instant or later')),
    total: z.literal('true').optional().describe('Adds `total` to the answer'),
    ...CursorQuery,
  }),
  replies: {
    200: CursorPage(InventoryItem).extend({
      total: z
        .int()
        .optional()
        .describe('Items of the whole inventory, whatever the filter. Only where it was asked for'),
    }),
  },
})

export const getInventoryItem = route({
  summary: 'One item',
  method: 'GET',
  path: '/api/v1/inventory/{uid}/',
  auth: { scope: 'inventory:read' },
  params: UidParams('inv'),
  replies: { 200: InventoryItem },
})

const ItemParams = UidParams('inv')
const WebAddress = z.url({ protocol: /^https?$/ }).max(4_000)
const write = { scope: 'inventory:write' } as const

/** The fields that a seller may set; the server derives the rest of the record. */
const itemFields = {
  sku: Sku.nullable().describe("The seller's own number of the item"),
  description: z.string().max(600_000).describe('A text for people'),
  attributes: Attributes.extend({
    brand: z.string().max(500).optional().describe('The brand'),
    size: z.string().max(500).optional().describe('The size, in words'),
    colors: z.array(z.string().max(100)).max(50).optional().describe('The colors, in words'),
    category: z.string().max(1_000).optional().describe('The category, in words'),
    isbn: z.string().max(50).optional().describe('The International Standard Book Number'),
    ean: z.string().max(50).optional().describe('The European Article Number'),
    upc: z.string().max(50).optional().describe('The Universal Product Code'),
    mpn: z.string().max(100).optional().describe("The manufacturer's part number"),
    material: z.string().max(500).optional().describe('The material'),
    weight_grams: WeightGrams.optional().describe('The weight of the packed item in grams'),
    parcel: Parcel.optional().describe('The size of the packed item'),
    particulars: Particulars.optional().describe(
      "Measurements in millimeters, and other particulars of its kind as text. Listings get them in the description and in the marketplace's own fields",
    ),
    flaws: z
      .array(
        z.strictObject({
          text: z.string().trim().min(1).max(500).describe('The flaw in words'),
          photo: WebAddress.optional().describe('The address of the photo that shows it'),
        }),
      )
      .max(30)
      .optional()
      .describe('Flaws, each with the photo that shows it. Put them into the notes and `evidence_urls`, too'),
    cost_minor: z
      .int()
      .min(0)
      .max(maxPriceMinor)
      .optional()
      .describe('The price that the seller paid, in minor units. Not public'),
    storage_location: z.string().max(200).optional().describe('Where the seller keeps the item. Not public'),
    regulatory: Regulatory.optional().describe('Companies responsible for the product in the EU (product safety)'),
  }).describe('Attributes beyond the record. Others than these are kept as they are sent'),
  title: z.string().trim().min(1).max(1_000).describe('The title'),
  images: z.array(WebAddress).min(1).max(100).describe('Addresses of the photos, the main one first'),
  product_id: z.string().trim().min(1).max(500).describe('The product that the item is one of'),
}
const Currency = z.string().regex(/^[A-Z]{3}$/, 'must be three capital letters')
const conditionFields = {
  label: z.string().trim().min(1).max(500).describe('The condition in words'),
  notes: z.string().max(10_000).describe('Notes on the condition'),
  inspected_at: z.iso.date().describe('The day on which the condition was checked'),
  evidence_urls: z.array(WebAddress).max(100).describe('Photos that show the condition'),
}
const offerFields = {
  price_minor: z.int().min(0).max(maxPriceMinor).describe('The price in minor units of its currency'),
  currency: Currency.describe('The currency, as three letters (ISO 4217)'),
  shipping_policy_url: WebAddress.describe('The address of the shipping policy'),
  returns_policy_url: WebAddress.describe('The address of the return policy'),
}

/** Creates an item that is available at once. */
export const createInventoryItem = route({
  summary: 'Add an item',
  notes:
    'The server makes ids, addresses and times. A draft is an item that its seller has yet to finish: `/assets/no-photo.svg` of this server stands for its missing photo, and changing its state to available finishes it. Policy addresses that are left out come from the settings, else from pages of this service.',
  method: 'POST',
  path: '/api/v1/inventory/',
  auth: write,
  body: z.strictObject({
    title: itemFields.title.describe('The title'),
    images: itemFields.images.describe('Addresses of the photos, the main one first'),
    condition: z
      .strictObject({
        label: conditionFields.label.describe('The condition in words'),
        notes: conditionFields.notes.optional().describe('Notes on the condition'),
        inspected_at: conditionFields.inspected_at.optional().describe('Default: today'),
        evidence_urls: conditionFields.evidence_urls.optional().describe('Photos that show the condition'),
      })
      .describe('The condition of the item'),
    offer: z
      .strictObject({
        price_minor: offerFields.price_minor.describe('The price in minor units of its currency'),
        currency: Currency.optional().describe("Default: the currency of the seller's settings"),
        shipping_policy_url: offerFields.shipping_policy_url.optional().describe('The address of the shipping policy'),
        returns_policy_url: offerFields.returns_policy_url.optional().describe('The address of the return policy'),
      })
      .describe('Price and policies'),
    sku: itemFields.sku.optional().describe("The seller's own number of the item"),
    description: itemFields.description.optional().describe('A text for people'),
    attributes: itemFields.attributes
      .optional()
      .describe('Attributes beyond the record. Others than these are kept as they are sent'),
    product_id: itemFields.product_id.optional().describe('Default: the SKU, else the uid'),
    draft: z
      .uuid()
      .optional()
      .describe('The key of a draft. The item is withdrawn, and the same key never makes a second one'),
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
    'Members that are left out keep their values. `condition` and `offer` are changed member by member; `attributes`, `images`, `colors` and `evidence_urls` are replaced as a whole, and `sku: null` takes the SKU away. An item goes from available to reserved or withdrawn and back; it is sold by an order or by `mark-sold/`. A withdrawn item comes down everywhere, which `POST /api/v1/changes/{change_uid}/undo/` undoes, and a changed price is sent to every live listing that an API reaches. With `update_listings`, the changed price, title, description and pictures are sent to the live listings on those platforms, and nothing to others; `POST …/platforms/{slug}/update/` does so later.',
  headers: { 'If-Match': 'The `version` that was read, as `"3"`; instead of the member `version`. `*`: any' },
  method: 'PATCH',
  path: '/api/v1/inventory/{uid}/',
  auth: write,
  params: ItemParams,
  body: z.strictObject({
    version: z.int().min(1).optional().describe('The version that was read; a stale one is 409'),
    state: Availability.exclude(['sold']).optional().describe('The state of the item'),
    missing: z
      .boolean()
      .optional()
      .describe('With `state: withdrawn`: the item is not in its place, which its history then says'),
    update_listings: z
      .array(PlatformSlug)
      .max(5)
      .optional()
      .describe('Platforms whose live listings get what changes. Default: all, and the price alone'),
    ...z.strictObject(itemFields).partial().shape,
    condition: z.strictObject(conditionFields).partial().optional().describe('The condition of the item'),
    offer: z.strictObject(offerFields).partial().optional().describe('Price and policies'),
  }),
  replies: { 200: InventoryItem },
  errors: ['stale_version', 'sku_in_use', 'conflict'],
})

/** 409 while it is live anywhere. */
export const deleteInventoryItem = route({
  summary: 'Delete an item that is listed nowhere',
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
  from: z.string().nullable().describe('The old value'),
  to: z.string().nullable().describe('The new value'),
})
export type FieldChange = z.infer<typeof FieldChange>

/** The source of news: an API, a page in the seller's browser, a mail, or the seller. */
export const Witness = z.enum(['api', 'page', 'mail', 'seller'])
export type Witness = z.infer<typeof Witness>

/** A take-down that followed from a change of state. */
const Followed = z.object({
  marketplace: PlatformSlug.describe('The platform'),
  listing_id: z.string().nullable().describe('The id of the listing on the platform'),
  by: z.enum(['api', 'seller']).describe('Who ends it: Hapax through the API, or the seller by a task'),
  state: z.enum(['ending', 'ended', 'left']).describe('`left`: it was given up, or the seller put the task aside'),
  asked_at: z.iso.datetime().describe('When its end was asked for'),
  ended_at: z.iso.datetime().nullable().describe('When the marketplace showed it as down, or the seller said so'),
})

/** An act in an item's history. */
export const HistoryEntry = z
  .object({
    version: z.int().describe('Of the item, that the state came with'),
    at: z.iso.datetime().describe('When it happened'),
    actor: z.string().describe('Actor: user, import, sale ...'),
    from_state: Availability.nullable().describe('The state before'),
    to_state: Availability.describe('The state after'),
    reason: z.string().describe('The reason, in words'),
    reference: z.string().nullable().describe('Such as an import job or an order'),
    changes: z
      .array(FieldChange)
      .optional()
      .describe('Old and new values; where `from_state` is `to_state` the act moved no state'),
    witness: Witness.nullable()
      .optional()
      .describe(
        'What told Hapax of it: `api` of the marketplace, its `page` in the browser of the seller, a `mail`, or the `seller`. Null where it is not known',
      ),
    marketplace: PlatformSlug.nullable().optional().describe('Where the witness saw it'),
    ordered_at: z.iso.datetime().nullable().optional().describe('Of a sale: when the buyer ordered, as far as known'),
    followed: z.array(Followed).optional().describe('What followed on each marketplace, in the order of its end'),
  })
  .meta({ id: 'HistoryEntry' })
export type HistoryEntry = z.infer<typeof HistoryEntry>

/** Newest first. */
export const getInventoryHistory = route({
  summary: 'Every act on an item: who, when, why',
  notes: 'Newest first, at most 1,000; `before_version` with the `version` of the last one goes on.',
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
    product_id: z.string().describe('The product that the item is one of'),
    title: z.string().describe('Of the newest item'),
    items: z.int().describe('Entries, or how many there are'),
    available: z.int().describe('How many of the items are available'),
  })
  .meta({ id: 'Product' })
export type Product = z.infer<typeof Product>

export const listProducts = route({
  summary: 'The products of the inventory, by their id',
  method: 'GET',
  path: '/api/v1/products/',
  auth: { scope: 'inventory:read' },
  query: z.strictObject(CursorQuery),
  replies: { 200: CursorPage(Product) },
})

const Units = z.enum(['us', 'metric'])
const unitsText =
  "Units of measurements in listings: `us` is inches, `metric` centimeters. Null: those of the seller's country"

const ListingTexts = z
  .array(
    z.strictObject({
      name: z.string().trim().min(1).max(60).describe('The name that the seller gave it'),
      kind: z.enum(textKinds).nullable().describe('The kind of things that it is for; null: all'),
      text: z.string().trim().min(1).max(10_000).describe('The text, with places such as `{brand}`'),
    }),
  )
  .max(100)
const textsText = 'Texts that the seller puts into descriptions'

/** Defaults for what a listing or a new item lacks. */
export const SellerSettings = z
  .object({
    shipping_policy_url: WebAddress.nullable().describe('The address of the shipping policy'),
    returns_policy_url: WebAddress.nullable().describe('The address of the return policy'),
    default_currency: Currency.nullable().describe('The currency of prices without one'),
    sku_required: z.boolean().describe('Imports ask for a SKU where a listing has none (missing_sku)'),
    alert_mails: z.array(z.enum(alertKinds)).describe('Kinds of alerts that are mailed, each once'),
    push_kinds: z
      .array(z.enum(pushKinds))
      .describe('Kinds of notifications that the browsers of `web-push/` get, each once'),
    price_rules: PriceRules.describe(
      "Prices by platform. A rule applies when an item is listed there without a price, and when an item's price changes. Listings that are live keep their price until then",
    ),
    units: Units.nullable().optional().describe(unitsText),
    texts: ListingTexts.optional().describe(textsText),
  })
  .meta({ id: 'SellerSettings' })
export type SellerSettings = z.infer<typeof SellerSettings>

export const getSettings = route({
  summary: "The seller's settings",
  method: 'GET',
  path: '/api/v1/user/settings/',
  auth: { scope: 'inventory:read' },
  replies: { 200: SellerSettings },
})

/** Replaces all settings; absent ones are unset. */
export const putSettings = route({
  summary: "Replace the seller's settings",
  notes: 'Replaces the whole: what is left out is unset.',
  method: 'PUT',
  path: '/api/v1/user/settings/',
  auth: write,
  body: z.strictObject({
    shipping_policy_url: WebAddress.nullable().optional().describe('The address of the shipping policy'),
    returns_policy_url: WebAddress.nullable().optional().describe('The address of the return policy'),
    default_currency: Currency.nullable().optional().describe('The currency of prices without one'),
    sku_required: z.boolean().optional().describe('Whether an item without a SKU is a conflict'),
    alert_mails: z
      .array(z.enum(alertKinds))
      .max(20)
      .optional()
      .describe('Default: all but relist_offer, listing_expired, update_refused and listing_refused'),
    push_kinds: z
      .array(z.enum(pushKinds))
      .max(20)
      .optional()
      .describe('Default: all but relist_offer, listing_expired, update_refused and listing_refused'),
    price_rules: PriceRules.optional().describe('Price rules by platform'),
    units: Units.nullable().optional().describe(unitsText),
    texts: ListingTexts.optional().describe(textsText),
  }),
  replies: { 200: SellerSettings },
})

export const AccountCurrency = z
  .object({
    currency: Currency.nullable().describe('Null where nothing names one'),
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
