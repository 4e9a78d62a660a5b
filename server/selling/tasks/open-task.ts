import { type Queries, sql } from '#server/infra/db/index.ts'
import { emitEvents } from '#server/webhooks/emit.ts'
import { newOrderedId } from '#shared/identity.ts'
import type { PlatformSlug } from '#shared/platforms.ts'

const insertTask = sql(import.meta.url, './sql/open-task.sql')

export interface NewTask {
  user_id: number
  kind: 'list' | 'delist' | 'cancel_order'
  platform: PlatformSlug
  item_uid: string
  seller_account_uid?: string | null
  /** Reason in words for the seller: "Sold on eBay". */
  reason: string
  /** Page to do it on: the sell form, the listing or the order. */
  url: string
  /** The listing to take down, or the platform's order id for `cancel_order`. */
  listing_id?: string | null
  price_minor?: number | null
  currency?: string | null
  cause: string
  cause_ref?: string | null
}

/**
 * Opens a task that only the seller can do, in the caller's transaction (decisions 8). Returns its uid, or null when
 * the same task is open already.
 */
export async function openTask(queries: Queries, task: NewTask): Promise<string | null> {
  const row = await queries.oneOrNone<{ uid: string }>(insertTask, {
    seller_account_uid: null,
    listing_id: null,
    price_minor: null,
    currency: null,
    cause_ref: null,
    ...task,
    uid: newOrderedId('tsk'),
  })
  if (!row) return null
  const { kind, platform, item_uid, reason, url } = task
  const data = { task_uid: row.uid, kind, platform, inventory_item_uid: item_uid, reason, url }
  await emitEvents(queries, task.user_id, [{ type: 'task.opened', item_uid, data }])
  return row.uid
}
