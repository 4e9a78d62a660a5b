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
  /** Why, in words for the seller: "Sold on eBay". */
  reason: string
  /** Where to do it: the sell form, the listing, the order. */
  url: string
  /** The listing to take down; for `cancel_order` the platform's id of the order. */
  listing_id?: string | null
  price_minor?: number | null
  currency?: string | null
  cause: string
  cause_ref?: string | null
}

/**
 * Asks the seller for something that only they can do, in the caller's transaction (decisions 8). What is already asked
 * for is not asked twice: then null.
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
