import type { Queries } from '#server/infra/db/index.ts'
import { notify } from '#server/infra/db/pubsub.ts'
import { traceparentToKeep } from '#server/infra/span.ts'
import type { ContentField, ListingContent } from '#server/integrations/port.ts'
import type { ListingField, PlatformSlug } from '#shared/platforms.ts'
import type { Money } from '#shared/price-change.ts'
import { runningSale } from '#shared/running-sale.ts'
import { apiPlatforms, listingChannel } from '../operation.ts'
import { pricesByRule, readPriceRules } from '../preflight/price-rules.ts'
import * as sql from './queries.ts'

export interface ListingUpdateOrder {
  item_uid: string
  /** The fields to send. The worker reads their content from the item when it runs. */
  fields: readonly ListingField[]
  /** Only on these platforms. Default: every platform with an API. */
  platforms?: readonly PlatformSlug[] | undefined
  /** Content to send in place of the item's. */
  content?: Partial<Pick<ListingContent, ContentField>>
  /** The exact price to send with the field `price`. Default: the item's, by the rule of the platform. */
  price?: Money
}

interface QueuedUpdate {
  id: string
  platform: PlatformSlug
}

/**
 * Queues updates of items' live listings, in the caller's transaction, and of those that are being published. An open
 * update of the same listing is merged into the new one. Returns one operation per listing: none for a platform without
 * an API, or where the item is not live. Listings in another currency keep their price. No two orders may be about the
 * same item and platform.
 */
export async function queueListingUpdates(
  tx: Queries,
  user_id: number,
  orders: readonly ListingUpdateOrder[],
): Promise<QueuedUpdate[]> {
  if (orders.length === 0) return []
  const priceOf = await readPrices(tx, user_id, orders)
  const rows = orders.map((order) => ({
    item_uid: order.item_uid,
    platforms: order.platforms ?? null,
    fields: order.fields.filter((field) => field !== 'price'),
    content: order.content ?? null,
    ...priceOf(order),
  }))
  const operations = await tx.any(
    sql.insertUpdateOperations({
      user_id,
      orders: JSON.stringify(rows),
      item_uids: rows.map(({ item_uid }) => item_uid),
      api_platforms: apiPlatforms,
      traceparent: traceparentToKeep(),
    }),
  )
  if (operations.length > 0) notify(tx, listingChannel)
  return operations
}

/** A live listing that a change of its item changes or ends. */
export interface ListingEffect {
  platform: PlatformSlug
  url: string | null
  price_minor: number
  currency: string
  /** The new price in minor units, `price_minor` where it stays; null where the listing ends. */
  next_minor: number | null
  /** The new price ends the sale event that the listing is in. */
  ends_sale: boolean
}

/**
 * Returns for each new price of an item its live listings, with the prices that they get (`queueListingUpdates`). A listing that
 * only the seller can change keeps its price. `price_minor`: null for an item that is withdrawn, whose listings end.
 */
export async function previewListings(
  queries: Queries,
  user_id: number,
  items: readonly { item_uid: string; price_minor: number | null; currency: string }[],
): Promise<ListingEffect[][]> {
  if (items.length === 0) return []
  const item_uids = items.map(({ item_uid }) => item_uid)
  const live = await queries.any(sql.findLiveListings({ user_id, item_uids }))
  const rules = live.length > 0 ? await readPriceRules(queries, user_id) : {}
  return items.map(({ item_uid, price_minor, currency }) =>
    live.flatMap((listing): ListingEffect[] => {
      if (listing.item_uid !== item_uid) return []
      const { platform, url, terms } = listing
      const now = { platform, url, price_minor: listing.price_minor ?? 0, currency: listing.currency, ends_sale: false }
      if (price_minor === null) return [{ ...now, next_minor: null }]
      const isAuction = terms?.format === 'auction'
      const isSent = apiPlatforms.includes(platform) && listing.currency === currency && !isAuction
      if (!isSent) return [{ ...now, next_minor: now.price_minor }]
      const next_minor = pricesByRule(rules, { price_minor, currency })[platform] ?? price_minor
      const ends_sale = next_minor !== now.price_minor && runningSale(terms, Date.now()) !== undefined
      return [{ ...now, next_minor, ends_sale }]
    }),
  )
}

/** Returns what gives the price to send with an order, and the prices of platforms with a rule; none without the field. */
async function readPrices(tx: Queries, user_id: number, orders: readonly ListingUpdateOrder[]) {
  const uids = orders.filter(({ fields, price }) => fields.includes('price') && !price).map(({ item_uid }) => item_uid)
  const items = uids.length > 0 ? await tx.any(sql.findItemPrices({ user_id, uids })) : []
  const rules = items.length > 0 ? await readPriceRules(tx, user_id) : {}
  const byUid = new Map(items.map((item) => [item.uid, item]))
  return ({ item_uid, fields, price }: ListingUpdateOrder): Partial<Money> & { prices?: object } => {
    if (price) return price
    const item = fields.includes('price') ? byUid.get(item_uid) : undefined
    return item ? { price_minor: item.price_minor, currency: item.currency, prices: pricesByRule(rules, item) } : {}
  }
}
