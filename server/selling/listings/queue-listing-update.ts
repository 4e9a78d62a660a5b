import { type Queries, sql } from '#server/infra/db/index.ts'
import { notify } from '#server/infra/db/pubsub.ts'
import { traceparentToKeep } from '#server/infra/span.ts'
import type { ContentField, ListingContent } from '#server/integrations/port.ts'
import type { ListingField, PlatformSlug } from '#shared/platforms.ts'
import type { Money } from '#shared/price-change.ts'
import { apiPlatforms, listingChannel } from './operation.ts'
import { pricesByRule } from './price-rules.ts'

const findPrice = sql(import.meta.url, './sql/find-item-price.sql')
const insertOperations = sql(import.meta.url, './sql/insert-update-operations.sql')

export interface ListingUpdateOrder {
  user_id: number
  item_uid: string
  /** The fields to send. The worker reads their content from the item when it runs. */
  fields: readonly ListingField[]
  /** Only on these platforms. Default: every platform with an API. */
  platforms?: readonly PlatformSlug[]
  /** Content to send in place of the item's. */
  content?: Partial<Pick<ListingContent, ContentField>>
  /** The exact price to send with the field `price`. Default: the item's, by the rule of the platform. */
  price?: { price_minor: number; currency: string }
}

export interface QueuedUpdate {
  id: string
  platform: PlatformSlug
}

/**
 * Queues an update of an item's live listings, in the caller's transaction, and of one that is being published. An open
 * update of the same listing is merged into the new one. Returns one operation per listing: none for a platform without
 * an API, or where the item is not live. Listings in another currency keep their price.
 */
export async function queueListingUpdate(tx: Queries, order: ListingUpdateOrder): Promise<QueuedUpdate[]> {
  const hasPrice = order.fields.includes('price')
  const ofItem = hasPrice && !order.price ? await tx.oneOrNone<Money>(findPrice, order) : null
  const prices = ofItem ? await pricesByRule(tx, order.user_id, ofItem) : {}
  const operations = await tx.any<QueuedUpdate>(insertOperations, {
    user_id: order.user_id,
    item_uid: order.item_uid,
    fields: order.fields.filter((field) => field !== 'price'),
    content: order.content ? JSON.stringify(order.content) : null,
    price_minor: (order.price ?? ofItem)?.price_minor ?? null,
    currency: (order.price ?? ofItem)?.currency ?? null,
    prices,
    platforms: order.platforms ?? null,
    api_platforms: apiPlatforms,
    traceparent: traceparentToKeep(),
  })
  if (operations.length > 0) notify(tx, listingChannel)
  return operations
}
