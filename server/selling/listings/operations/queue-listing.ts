import type { Queries } from '#server/infra/db/index.ts'
import { notify } from '#server/infra/db/pubsub.ts'
import { problem } from '#server/infra/errors.ts'
import { traceparentToKeep } from '#server/infra/span.ts'
import type { ListingOptions } from '#shared/contract/selling/listings.ts'
import type { PlatformSlug } from '#shared/platforms.ts'
import type { OperationCause } from '../operation.ts'
import { listingChannel, priorities } from '../operation.ts'
import type { ListedItem } from '../preflight/prerequisites.ts'
import { externalKeyOf } from '../preflight/publish-request.ts'
import * as listingsSql from '../queries.ts'
import * as sql from './queries.ts'

interface ListingRequest {
  user_id: number
  item: Pick<ListedItem, 'uid' | 'sku' | 'currency'>
  platform: PlatformSlug
  seller_account_uid: string
  price_minor: number
  options: ListingOptions
  /** Options that become the seller's defaults once the listing is live. */
  options_to_remember?: ListingOptions
  cause: OperationCause
  cause_ref: string | null
}

/**
 * Queues the listing of an item on a platform, in the caller's transaction. Returns the existing operation if there is
 * one. Throws 409 `not_available` for an unavailable item, and `conflict` while an earlier listing is being undone.
 */
export async function queueListing(tx: Queries, order: ListingRequest): Promise<{ id: string }> {
  const { user_id, item } = order
  await requireAvailable(tx, { user_id, item_uid: item.uid })
  const operation = await tx.one(
    sql.insertListOperation({
      ...order,
      options_to_remember: order.options_to_remember ?? null,
      item_uid: item.uid,
      currency: item.currency,
      external_key: externalKeyOf(item.uid, item.sku),
      priority: order.cause === 'bulk' ? priorities.bulk : priorities.list,
      traceparent: traceparentToKeep(),
    }),
  )
  if (operation.is_cancelled) throw problem('conflict', 'It is being taken down there. Try again in a moment.')
  notify(tx, listingChannel)
  return { id: operation.id }
}

/**
 * Locks an item until the transaction ends, so that a sale is either seen here or sees what is written here. Throws 409
 * `not_available` for an item that is not available.
 */
export async function requireAvailable(tx: Queries, item: { user_id: number; item_uid: string }): Promise<void> {
  const row = await tx.oneOrNone(listingsSql.lockItemState(item))
  if (row?.state !== 'available') throw problem('not_available', row ? `The item is ${row.state}.` : undefined)
}
