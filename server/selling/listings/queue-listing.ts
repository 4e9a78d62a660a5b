import { type Queries, sql } from '#server/infra/db/index.ts'
import { notify } from '#server/infra/db/pubsub.ts'
import { problem } from '#server/infra/errors.ts'
import type { ListingOptions } from '#shared/contract/listings.ts'
import type { PlatformSlug } from '#shared/platforms.ts'
import type { OperationCause } from './operation.ts'
import { listingChannel, priorities } from './operation.ts'
import type { ListedItem } from './prerequisites.ts'
import { externalKeyOf } from './publish-request.ts'

const insertOperation = sql(import.meta.url, './sql/insert-list-operation.sql')
const lockItemState = sql(import.meta.url, './sql/lock-item-state.sql')

export interface ListingRequest {
  user_id: number
  item: Pick<ListedItem, 'uid' | 'sku' | 'currency'>
  platform: PlatformSlug
  seller_account_uid: string
  price_minor: number
  options: ListingOptions
  /** What becomes the seller's default once the listing is up. */
  options_to_remember?: ListingOptions
  cause: OperationCause
  cause_ref: string | null
}

/**
 * Orders that an item goes up on a platform, in the caller's transaction; one that is ordered already is the same one.
 * Throws 409 `not_available` for an item that is not, and `conflict` while an earlier listing is still being taken back.
 */
export async function queueListing(tx: Queries, order: ListingRequest): Promise<{ id: string }> {
  const { user_id, item } = order
  await requireAvailable(tx, { user_id, item_uid: item.uid })
  const operation = await tx.one<{ id: string; is_cancelled: boolean }>(insertOperation, {
    ...order,
    options_to_remember: order.options_to_remember ?? null,
    item_uid: item.uid,
    currency: item.currency,
    external_key: externalKeyOf(item.uid, item.sku),
    priority: order.cause === 'bulk' ? priorities.bulk : priorities.list,
  })
  if (operation.is_cancelled) throw problem('conflict', 'It is just being taken down there. Try again in a moment.')
  notify(tx, listingChannel)
  return { id: operation.id }
}

/**
 * Locks an item until the transaction ends, so that a sale comes either before, and is seen, or after, and sees what was
 * asked for. Throws 409 `not_available` for one that is not on offer.
 */
export async function requireAvailable(tx: Queries, item: { user_id: number; item_uid: string }): Promise<void> {
  const row = await tx.oneOrNone<{ state: string }>(lockItemState, item)
  if (row?.state !== 'available') throw problem('not_available', row ? `The item is ${row.state}.` : undefined)
}
