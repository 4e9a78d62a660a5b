import { gather } from '#server/infra/db/gather.ts'
import { type Queries, sql } from '#server/infra/db/index.ts'
import { prepared } from '#server/infra/db/prepared.ts'
import { notify } from '#server/infra/db/pubsub.ts'
import { openTask } from '#server/selling/tasks/open-task.ts'
import type { PlatformSlug } from '#shared/platforms.ts'
import { apiPlatforms, delistChannel, type OperationCause, priorities } from './operation.ts'

const insertDelists = prepared(sql(import.meta.url, './sql/insert-delist-operations.sql'))
const cancelLists = prepared(sql(import.meta.url, './sql/cancel-list-operations.sql'))
const dismissTasks = prepared(sql(import.meta.url, './sql/dismiss-list-tasks.sql'))
const cancelPrices = prepared(sql(import.meta.url, './sql/cancel-price-operations.sql'))
const findManual = prepared(sql(import.meta.url, './sql/find-manual-listings.sql'))

export interface DelistRequest {
  user_id: number
  item_uid: string
  /** The listing that was sold, and so needs no taking down; null for all. */
  except: { platform: PlatformSlug; listing_id: string } | null
  cause: OperationCause
  /** What of that kind: an order's uid, a bulk job's. */
  cause_ref?: string | null
  /** Why, in words for the seller, for what they must take down themselves: "Sold on eBay". */
  reason: string
  /** Only on these platforms; left out: everywhere. */
  platforms?: readonly PlatformSlug[]
  /** When the cause was first seen (ISO), for the figures of GET /api/v1/status/; now when left out. */
  seen_at?: string | null
}

export interface QueuedDelisting {
  /** What the server takes down. */
  operations: { id: string; platform: PlatformSlug; seller_account_uid: string; listing_id: string }[]
  /** Where the seller is asked to take it down. */
  tasks: PlatformSlug[]
  /** Where putting it up was under way and is undone. */
  cancelled: PlatformSlug[]
}

/**
 * Orders that every live listing of an item comes down, within the caller's transaction (spec 4.15): an intent
 * for each that an API reaches, a task for each that only the seller can, and an end to what is just being put up. The
 * caller has locked the item's row before, so that a listing that is recorded meanwhile is seen here, or sees the sale.
 * Asked again, it changes nothing.
 */
export async function queueDelisting(transaction: Queries, order: DelistRequest): Promise<QueuedDelisting> {
  const tx = gather(transaction)
  const values = {
    user_id: order.user_id,
    item_uid: order.item_uid,
    cause: order.cause,
    cause_ref: order.cause_ref ?? null,
    priority: order.cause === 'bulk' ? priorities.bulk : order.cause === 'user' ? priorities.delist : priorities.sale,
    seen_at: order.seen_at ?? null,
    api_platforms: apiPlatforms,
    platforms: order.platforms ?? null,
    except_platform: order.except?.platform ?? null,
    except_listing_id: order.except?.listing_id ?? null,
  }
  const [undone, , , operations, manual] = await Promise.all([
    tx.any<{ platform: PlatformSlug; is_under_way: boolean }>(cancelLists, values),
    tx.none(dismissTasks, values),
    tx.none(cancelPrices, values),
    tx.any<QueuedDelisting['operations'][number]>(insertDelists, values),
    tx.any<{ platform: PlatformSlug; seller_account_uid: string; listing_id: string; url: string }>(findManual, values),
  ])
  const cancelled = undone.filter((row) => row.is_under_way).map((row) => row.platform)
  for (const listing of manual) {
    await openTask(tx, { ...listing, ...order, kind: 'delist' })
  }
  if (operations.length + cancelled.length > 0) notify(tx, delistChannel)
  if (tx !== transaction) await tx.flush()
  return { operations, tasks: manual.map(({ platform }) => platform), cancelled }
}
