import { z } from 'zod'
import type { Hapax } from '#shared/client/types.ts'
import { Resolution } from '#shared/contract/catalog/imports.ts'
import { createInventoryItem, type InventoryItem } from '#shared/contract/catalog/inventory.ts'
import type { Scope } from '#shared/contract/declaring/route.ts'
import { ListingOptions, Price } from '#shared/contract/selling/listings.ts'
import { SalePlace } from '#shared/contract/selling/orders.ts'
import { Id } from '#shared/identity.ts'
import { Availability } from '#shared/item/inventory-record.ts'
import { decimalFromMinor } from '#shared/money.ts'
import { PlatformSlug } from '#shared/platforms.ts'

/** A tool. A tool that writes shows `preview` first, and `run` follows a second call that confirms it. */
export interface Tool<Arguments extends z.ZodObject = z.ZodObject> {
  title: string
  description: string
  scope: Scope
  input: Arguments
  run: (hapax: Hapax, given: z.output<Arguments>, idempotencyKey?: string) => Promise<unknown>
  preview?: (hapax: Hapax, given: z.output<Arguments>) => Promise<unknown>
  /** Whether it takes something away: an ended listing or a sold item. */
  destructive?: boolean
}

const tool = <Arguments extends z.ZodObject>(given: Tool<Arguments>) => given as unknown as Tool

const uid = Id('inv').describe('The item')
const platform = PlatformSlug.describe('The marketplace')
const onPlatform = z.strictObject({ uid, platform })
const toList = onPlatform.extend({
  price: Price.optional().describe(
    'Decimal text such as "24.00". Default: the price of the item, by the price rule of the marketplace',
  ),
  options: ListingOptions.optional().describe('Options of the marketplace, such as a category. Default: suggestions'),
  seller_account_uid: Id('sel').optional().describe('The shop, where several of the marketplace are connected'),
})
type ToList = z.output<typeof toList>

const read = (hapax: Hapax, item_uid: string) => hapax.call('getInventoryItem', { params: { uid: item_uid } })
const params = ({ uid, platform }: { uid: string; platform: string }) => ({ uid, slug: platform })
const bodyOf = ({ price, options, seller_account_uid }: ToList) => ({ price, options, seller_account_uid })

/** Every tool by its name. Each calls the operations of the API, with the caller's key. */
export const tools: Readonly<Record<string, Tool>> = {
  search_inventory: tool({
    title: 'Search the inventory',
    description: 'Finds items by words of title, brand, SKU or price, by state and by marketplace. 20 at once.',
    scope: 'inventory:read',
    input: z.strictObject({
      words: z.string().min(1).max(200).optional().describe('All must occur'),
      state: Availability.optional().describe('The state of the item'),
      platform: PlatformSlug.optional().describe('Has a listing there'),
      cursor: z.string().max(500).optional().describe('`next_cursor` of the answer before'),
    }),
    run: async (hapax, { words, ...query }) => {
      const { results, next_cursor } = await hapax.call('listInventory', { query: { ...query, q: words } })
      return { items: results.map(summaryOf), next_cursor }
    },
  }),

  read_item: tool({
    title: 'Read an item',
    description: 'Returns everything about one item: description, condition, photos, listings and their states.',
    scope: 'inventory:read',
    input: z.strictObject({ uid }),
    run: (hapax, given) => read(hapax, given.uid),
  }),

  preflight: tool({
    title: 'Check a listing',
    description: 'Says what a marketplace would refuse or change about a listing, and its fees. Nothing is sent.',
    scope: 'listings:write',
    input: toList,
    run: (hapax, given) => hapax.call('preflightRequest', { params: params(given), body: bodyOf(given) }),
  }),

  draft_item: tool({
    title: 'Add an item',
    description: 'Adds an item to the inventory. It is listed nowhere until list_item is called.',
    scope: 'inventory:write',
    input: createInventoryItem.body,
    preview: async (_hapax, given) => ({ adds: given }),
    run: (hapax, body, idempotencyKey) => hapax.call('createInventoryItem', { body, ...keyed(idempotencyKey) }),
  }),

  list_item: tool({
    title: 'List an item',
    description: 'Publishes an item on a marketplace. Marketplaces without an API get a task for the seller instead.',
    scope: 'listings:write',
    input: toList,
    preview: async (hapax, given) => ({
      item: summaryOf(await read(hapax, given.uid)),
      preflight: await hapax.call('preflightRequest', { params: params(given), body: bodyOf(given) }),
    }),
    run: (hapax, given, idempotencyKey) =>
      hapax.call('listItem', { params: params(given), body: bodyOf(given), ...keyed(idempotencyKey) }),
  }),

  end_listing: tool({
    title: 'End a listing',
    description: 'Takes an item down from one marketplace. It stays in the inventory.',
    scope: 'listings:write',
    destructive: true,
    input: onPlatform,
    preview: async (hapax, given) => {
      const item = await read(hapax, given.uid)
      return { item: summaryOf(item), ends: item.listings?.filter((listing) => listing.platform === given.platform) }
    },
    run: (hapax, given, idempotencyKey) =>
      hapax.call('delistItem', { params: params(given), ...keyed(idempotencyKey) }),
  }),

  mark_sold: tool({
    title: 'Mark an item sold',
    description: 'Records a sale outside the marketplaces. The item comes down everywhere.',
    scope: 'listings:write',
    destructive: true,
    input: z.strictObject({
      uid,
      price_minor: z.int().min(0).optional().describe('In minor units of its currency. Default: its price'),
      note: z.string().max(500).optional().describe('For the history of the item'),
    }),
    preview: async (hapax, given) => {
      const item = await read(hapax, given.uid)
      return { item: summaryOf(item), takes_down: (item.listings ?? []).filter(({ state }) => state === 'available') }
    },
    run: (hapax, { uid: item_uid, ...body }, idempotencyKey) =>
      hapax.call('markItemSold', { params: { uid: item_uid }, body, ...keyed(idempotencyKey) }),
  }),

  list_conflicts: tool({
    title: 'Open conflicts',
    description: 'Imported listings that may be an item of the inventory, with both sides. The most certain first.',
    scope: 'imports:run',
    input: z.strictObject({ page: z.int().min(1).optional().describe('Starts at 1') }),
    run: (hapax, { page = 1 }) => hapax.call('listConflicts', { query: { page: String(page) } }),
  }),

  resolve_conflict: tool({
    title: 'Resolve a conflict',
    description: 'Decides a conflict: link the listing to an item, overwrite the item, create a new one, or skip.',
    scope: 'imports:run',
    input: z.strictObject({
      job_uid: Id('job').describe('The import'),
      item_uid: Id('itm').describe('The conflict'),
      resolution: Resolution.describe('The decision'),
      inventory_item_uid: Id('inv').optional().describe('The item to link or overwrite. Default: the suggested one'),
      sku: z.string().min(1).max(500).optional().describe('For a new item: a SKU that is free'),
    }),
    preview: (hapax, { job_uid, item_uid }) => hapax.call('getImportItem', { params: { uid: job_uid, item_uid } }),
    run: (hapax, { job_uid, item_uid, ...body }, idempotencyKey) =>
      hapax.call('resolveImportItem', { params: { uid: job_uid, item_uid }, body, ...keyed(idempotencyKey) }),
  }),

  sales_figures: tool({
    title: 'Sales',
    description:
      'Totals by currency and the newest 20 sales of a period, with fees, costs and where each was sold. Held: sales that only a mail told.',
    scope: 'inventory:read',
    input: z.strictObject({
      from: z.iso.datetime({ offset: true }).optional().describe('Sold at this instant or later'),
      to: z.iso.datetime({ offset: true }).optional().describe('Sold before this instant'),
      platform: SalePlace.optional().describe('Where it was sold'),
    }),
    run: async (hapax, query) => {
      const [totals, newest] = await Promise.all([
        hapax.call('getSalesTotals', { query }),
        hapax.call('listSales', { query }),
      ])
      return { totals, newest: newest.results, held: newest.held ?? [] }
    },
  }),
}

const keyed = (idempotencyKey: string | undefined) => (idempotencyKey ? { idempotencyKey } : {})

/** Returns the members of an item that a list needs. */
function summaryOf({ uid: item_uid, sku, record, listings = [] }: InventoryItem) {
  const { price_minor, currency } = record.offer
  return {
    ...{ uid: item_uid, sku, title: record.title, state: record.lifecycle.state },
    price: `${decimalFromMinor(price_minor, currency)} ${currency}`,
    listings: listings.map(({ platform: slug, state, url }) => ({ platform: slug, state, url })),
  }
}
