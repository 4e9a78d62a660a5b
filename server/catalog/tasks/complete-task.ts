import { importContention } from '#server/catalog/imports/contention.ts'
import { lockInventory } from '#server/catalog/imports/deciding/move-listings.ts'
import { mergeItem } from '#server/catalog/inventory/merge-item.ts'
import { requireOpenAccount } from '#server/http/lock-user.ts'
import type { Queries, Transaction } from '#server/infra/db/index.ts'
import { notify } from '#server/infra/db/pubsub.ts'
import type { RowOf } from '#server/infra/db/statement.ts'
import { transaction } from '#server/infra/db/transaction.ts'
import { invalidField, notFound, problem } from '#server/infra/errors.ts'
import { findOrCreateLastShop } from '#server/integrations/connections/scraped-shop.ts'
import { apiPlatforms, delistChannel } from '#server/selling/listings/operation.ts'
import { emitListingEvent } from '#server/selling/listings/operations/listing-events.ts'
import {
  closeDelistOperations,
  dismissListTasks,
  endListing,
  findHoldingOrder,
  lockItemState,
  resolveRelistOffer,
  storeListing,
  touchItem,
  wakeDelistOperations,
} from '#server/selling/listings/operations/listing-rows.ts'
import { queueDelisting } from '#server/selling/listings/operations/queue-delisting.ts'
import { lockItems } from '#server/selling/sales/lock-items.ts'
import { getTask } from '#server/selling/tasks/list-tasks.ts'
import type { Services } from '#server/services.ts'
import { emitEvents } from '#server/webhooks/emit.ts'
import type { ExtensionTask } from '#shared/contract/selling/tasks.ts'
import type { ExtensionSlug } from '#shared/platforms.ts'
import { recordIfAlreadySold } from './already-sold.ts'
import * as sql from './queries.ts'

/** The seller's report of a finished task. */
export interface TaskReport {
  listing_id?: string
  listing_url?: string
  /** The marketplace was read back and shows the listing no more. */
  seen_down?: true
}

type TaskRow = RowOf<typeof sql.lockTask>

/**
 * Completes a task: records the listing that the seller made, or that a listing is down. Repeating the
 * same report returns the same answer; another one throws 409. A dismissed list task can still be completed, because
 * its listing is live whatever was wanted. Throws 404, and 400 for a list task without its listing.
 */
export async function completeTask(
  services: Pick<Services, 'db' | 'now'>,
  user_id: number,
  uid: string,
  report: TaskReport,
): Promise<ExtensionTask> {
  return transaction(
    services.db,
    'complete-task',
    async (tx) => {
      const task = await lock(tx, user_id, uid, report.listing_id)
      if (task.status === 'completed' && isSame(task.report ?? {}, report)) return getTask(tx, user_id, uid)
      const isListed = task.kind === 'list' && task.status === 'dismissed' && report.listing_id !== undefined
      if (task.status !== 'open' && !isListed) throw problem('conflict', `The task is ${task.status}.`)
      if (task.kind === 'list') await recordListing(tx, user_id, task, report, services.now())
      await tx.none(
        sql.endTask({
          user_id,
          uid,
          status: 'completed',
          report,
          listing_id: (task.kind === 'list' ? report.listing_id : null) ?? null,
        }),
      )
      // After its task, whose report says whether the alert about the listing ends, too.
      if (task.kind === 'delist') await recordDown(tx, user_id, task)
      // A task opened since then asks for what exists now.
      if (isListed) await dismissListTasks(tx, { user_id, item_uid: task.item_uid, platforms: [task.platform] })
      await emitListingUpdated(tx, user_id, task, report)
      await emitTaskFinished(tx, user_id, task, 'completed')
      return getTask(tx, user_id, uid)
    },
    importContention,
  )
}

/** Dismisses a task. Repeating it returns the same answer. Throws 409 for a completed one. */
export async function dismissTask(
  services: Pick<Services, 'db'>,
  user_id: number,
  uid: string,
): Promise<ExtensionTask> {
  return transaction(services.db, 'dismiss-task', async (tx) => {
    const task = await lock(tx, user_id, uid)
    if (task.status === 'completed') throw problem('conflict', 'The task is completed.')
    if (task.status === 'open') {
      await tx.none(sql.endTask({ user_id, uid, status: 'dismissed', report: null, listing_id: null }))
      await emitTaskFinished(tx, user_id, task, 'dismissed')
    }
    return getTask(tx, user_id, uid)
  })
}

/**
 * Locks the item, then its task, in a sale's order; with the item also the one that an import made of the listing. A
 * list task first locks the account, which may get a shop, and the inventory, so that no import makes the listing a
 * second time.
 */
async function lock(tx: Queries, user_id: number, uid: string, listing_id?: string): Promise<TaskRow> {
  const seen = await getTask(tx, user_id, uid)
  if (seen.kind === 'list') {
    await requireOpenAccount(tx, user_id)
    await lockInventory(tx, user_id)
  }
  const { inventory_item_uid: item_uid, platform } = seen
  const holder =
    seen.kind === 'list' && listing_id !== undefined
      ? await tx.oneOrNone(sql.findHolder({ user_id, item_uid, platform, listing_id }))
      : null
  await lockItems(tx, { user_id, uids: holder ? [item_uid, holder.item_uid] : [item_uid] })
  return tx.one(sql.lockTask({ user_id, uid }))
}

async function recordListing(
  tx: Transaction,
  user_id: number,
  task: TaskRow,
  report: TaskReport,
  now: Date,
): Promise<void> {
  const { listing_id, listing_url } = report
  if (!listing_id) throw invalidField('listing_id', 'required', 'is needed: the platform gave the listing an id')
  if (!listing_url) throw invalidField('listing_url', 'required', 'is needed: the address of the listing')
  const key = { user_id, item_uid: task.item_uid, platform: task.platform }
  const stateNow = () => lockItemState(tx, key)
  if (!(await stateNow())) throw notFound()
  const holder = await tx.oneOrNone(sql.findHolder({ ...key, listing_id }))
  const twin = holder?.is_imported && !holder.is_gone ? holder : null
  // The listing would never come down for its own item.
  if (holder?.is_live && !twin) throw problem('conflict', 'This listing belongs to another item.')
  const made = { ...key, listing_id, price_minor: task.price_minor ?? 0, currency: task.currency ?? 'USD' }
  const keep = async () => {
    const seller_account_uid = await shopOf(tx, user_id, task, listing_id)
    await storeListing(tx, { ...made, seller_account_uid, url: listing_url, sku: null })
    await touchItem(tx, key)
    return seller_account_uid
  }
  if (await recordIfAlreadySold(tx, made, now.toISOString(), keep)) return
  if (twin) {
    const merge = { user_id, item_uid: twin.item_uid, into_uid: task.item_uid }
    await mergeItem(tx, merge, { by: 'extension', seen_at: now.toISOString() })
  }
  // Keep what an import has read: it is more than the form was filled in with.
  if (!twin?.is_live) await keep()
  const state = (await stateNow())?.state
  if (state === 'available') {
    await resolveRelistOffer(tx, key)
    return
  }
  // The item sold meanwhile, so the listing has to come down again, together with the other item's listings.
  await queueDelisting(tx, {
    user_id,
    item_uid: task.item_uid,
    except: twin ? await findHoldingOrder(tx, key) : null,
    cause: 'compensation',
    cause_ref: task.uid,
    reason: `It was ${state} while you listed it`,
    platforms: twin ? undefined : [task.platform],
  })
}

/** Returns the shop where an import has found the listing, else the seller's last shop there. */
async function shopOf(tx: Queries, user_id: number, task: TaskRow, listing_id: string): Promise<string> {
  const seller = { user_id, platform: task.platform as ExtensionSlug }
  const known = await tx.oneOrNone(sql.findShopOfListing({ ...seller, listing_id }))
  return known?.uid ?? task.seller_account_uid ?? (await findOrCreateLastShop(tx, seller)).uid
}

async function recordDown(tx: Queries, user_id: number, task: TaskRow): Promise<void> {
  const key = { user_id, item_uid: task.item_uid, platform: task.platform, listing_id: task.listing_id }
  // If the server can read the shop, now or once reconnected, only its own reading counts: a live listing must never be
  // called delisted.
  const isApi = apiPlatforms.includes(task.platform)
  if (isApi && task.seller_account_uid) {
    const readable = await wakeDelistOperations(tx, { ...key, seller_account_uid: task.seller_account_uid })
    if (readable) return notify(tx, delistChannel)
  }
  // Otherwise the seller's word is all there is, and the server stops trying. Where the extension reads the shop, the alert
  // waits for that.
  const shops = isApi ? await closeDelistOperations(tx, key) : []
  const seller_account_uid = task.seller_account_uid ?? shops[0]?.seller_account_uid ?? null
  await endListing(tx, { ...key, seller_account_uid, state: 'removed' })
  await touchItem(tx, key)
}

/** The seller said that the listing is live or down. Where a shop can be read, its own state comes later. */
async function emitListingUpdated(tx: Transaction, user_id: number, task: TaskRow, report: TaskReport): Promise<void> {
  const { uid, item_uid, platform, seller_account_uid } = task
  const listing_id = task.listing_id ?? report.listing_id ?? null
  const listing_url = report.listing_url ?? null
  const about = { user_id, id: '', item_uid, platform, seller_account_uid, listing_id, listing_url }
  await emitListingEvent(tx, 'listing.updated', { ...about, cause: 'user', cause_ref: uid })
}

async function emitTaskFinished(tx: Transaction, user_id: number, task: TaskRow, status: string): Promise<void> {
  const data = {
    task_uid: task.uid,
    kind: task.kind,
    platform: task.platform,
    inventory_item_uid: task.item_uid,
    status,
  }
  await emitEvents(tx, user_id, [{ type: 'task.finished', item_uid: task.item_uid, data }])
}

function isSame(one: TaskReport, other: TaskReport): boolean {
  return one.listing_id === other.listing_id && one.listing_url === other.listing_url
}
