import type { Transaction } from '#server/infra/db/index.ts'
import { emitEvents } from '#server/webhooks/emit.ts'
import { newId, newOrderedId } from '#shared/identity.ts'
import { type PlatformSlug, platformOf } from '#shared/platforms.ts'
import * as sql from './queries.ts'

/** When a listing of a sold item that is still live is mailed and pushed, in ms. It is shown at once. */
const notifyLiveAfterMs = 5 * 60_000

interface NewTask {
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
 * Opens a task that only the seller can do, in the caller's transaction. To take down a sold item raises
 * an alert too, where Hapax cannot do it. Returns the task's uid, or null when the same task is open already.
 */
export async function openTask(queries: Transaction, task: NewTask): Promise<string | null> {
  const row = await queries.oneOrNone(
    sql.openTask({
      seller_account_uid: null,
      listing_id: null,
      price_minor: null,
      currency: null,
      cause_ref: null,
      ...task,
      uid: newOrderedId('tsk'),
      is_manual: task.kind === 'delist' && platformOf(task.platform).capabilities.list === 'manual',
      alert_uid: newId('alm'),
      alert_message: `A sold item is still live on ${platformOf(task.platform).name}. Only you can end the listing there.`,
      notify_ms: notifyLiveAfterMs,
    }),
  )
  if (!row) return null
  const { kind, platform, item_uid, reason, url } = task
  const data = { task_uid: row.uid, kind, platform, inventory_item_uid: item_uid, reason, url }
  await emitEvents(queries, task.user_id, [{ type: 'task.opened', item_uid, data }])
  return row.uid
}
