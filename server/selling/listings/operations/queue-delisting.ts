import { randomUUID } from 'node:crypto'
import type { Transaction } from '#server/infra/db/index.ts'
import { notify } from '#server/infra/db/pubsub.ts'
import { together } from '#server/infra/db/transaction.ts'
import { traceparentToKeep } from '#server/infra/span.ts'
import { openTask } from '#server/selling/tasks/open-task.ts'
import type { PlatformSlug } from '#shared/platforms.ts'
import { apiPlatforms, delistChannel, type OperationCause, priorities } from '../operation.ts'
import * as sql from './queries.ts'

interface DelistRequest {
  user_id: number
  item_uid: string
  /** The listing that was sold and needs no delisting. Null: delist all. */
  except: { platform: PlatformSlug; listing_id: string } | null
  cause: OperationCause
  /** Id of the cause: an order's uid or a bulk job's. */
  cause_ref?: string | null
  /** Reason shown in the seller's task: "Sold on eBay". */
  reason: string
  /** Only on these platforms. Default: all. */
  platforms?: readonly PlatformSlug[]
  /** When the cause was first seen (ISO). GET /api/v1/status/ measures delays from here. Default: now. */
  seen_at?: string | null
}

export interface QueuedDelisting {
  /** Operations for the server. */
  operations: { id: string; platform: PlatformSlug; seller_account_uid: string; listing_id: string }[]
  /** Platforms where the seller gets a task. */
  tasks: PlatformSlug[]
  /** Platforms where a listing under way is undone. */
  cancelled: PlatformSlug[]
}

/**
 * Takes every live listing of an item down, in the caller's transaction: an operation where there is an
 * API, a task where only the seller can, and an end to listings under way. The caller has locked the item's row, so
 * that a listing recorded meanwhile is seen here or sees the sale. Repeating it changes nothing.
 */
export async function queueDelisting(tx: Transaction, order: DelistRequest): Promise<QueuedDelisting> {
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
    traceparent: traceparentToKeep(),
  }
  const isSold = order.cause === 'sale' || order.cause === 'mark_sold'
  const [undone, ended] = await together([
    tx.any(sql.cancelPublishing({ ...values, is_sold: isSold })),
    tx.any(sql.insertDelistOperations({ ...values, seed: randomUUID() })),
  ])
  const cancelled = undone.filter((row) => row.is_under_way).map((row) => row.platform)
  const operations = ended.flatMap(({ id, ...listing }) => (id === null ? [] : [{ id, ...listing }]))
  const manual = ended.filter(({ id }) => id === null)
  for (const { id: _, ...listing } of manual) await openTask(tx, { ...listing, ...order, kind: 'delist' })
  if (operations.length + cancelled.length > 0) notify(tx, delistChannel)
  return { operations, tasks: manual.map(({ platform }) => platform), cancelled }
}
