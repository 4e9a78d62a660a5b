import type { Queries, Transaction } from '#server/infra/db/index.ts'
import { transaction } from '#server/infra/db/transaction.ts'
import { HttpProblem } from '#server/infra/errors.ts'
import { inSpan, readTraceparent } from '#server/infra/span.ts'
import { lockItems } from '#server/selling/sales/lock-items.ts'
import type { Services } from '#server/services.ts'
import type { BulkJob, ListingOptions } from '#shared/contract/selling/listings.ts'
import { type ExtensionSlug, type PlatformSlug, platformOf, platforms } from '#shared/platforms.ts'
import type { PriceChange } from '#shared/price-schemas.ts'
import { changeItemPrice } from '../change-item-price.ts'
import { openListTask } from '../open-list-task.ts'
import { changeOfJob, noPlatform } from '../operation.ts'
import { queueListing, requireAvailable } from '../operations/queue-listing.ts'
import { findItem, requireShop, shopNamedFor } from '../preflight/prerequisites.ts'
import { listingPrice } from '../preflight/price-rules.ts'
import * as listingsSql from '../queries.ts'
import { saveItemDetails } from '../save-item-details.ts'
import { takeDown } from '../take-down.ts'
import { editItems, type ItemEditOrder } from './edit-items.ts'
import * as sql from './queries.ts'

/**
 * Open operations of one job at once on one platform: enough to keep workers busy, few enough that others get their
 * turn. Counted by platform, so that a slow one does not hold up the others.
 */
const roomByPlatform = 40
const perStep = 20

/** Another transaction may take a SKU between the check and the write of an edit; the next run sees it. */
const skuContention = { uniques: new Set(['inventory_item_sku_key']) }

const perPlatform = { room: roomByPlatform, platforms: [...platforms.map(({ slug }) => slug), noPlatform] }

interface Job {
  user_id: number
  uid: string
  action: BulkJob['action']
  price: string | null
  price_change: PriceChange | null
  item_edit: ItemEditOrder | null
  /** The shop to list in on its own platform. Null: the only one of each platform. */
  seller_account_uid: string | null
  /** The span that started it, while traces are sent. */
  traceparent: string | null
}

interface Row {
  position: number
  item_uid: string
  platform: PlatformSlug
  options: ListingOptions | null
}

interface BulkRowResult {
  status: 'pending' | 'succeeded' | 'failed' | 'manual'
  operation_id?: string
  listing_id?: string
  listing_url?: string
  error_code?: string
  error_message?: string
}

/**
 * Turns the next rows of bulk jobs into operations, a few at a time, and completes jobs without pending rows. A row and
 * its operation are written together, so that a crash leaves it begun or not begun. Several workers share the jobs, and users take turns.
 */
export async function expandBulkJobs(services: Services): Promise<void> {
  let users = (await services.db.any(sql.listUsersWithBulkJobs())).map(({ user_id }) => user_id)
  while (users.length > 0) {
    const unfinished: number[] = []
    for (const user_id of users) {
      const again = await transaction(
        services.db,
        'expand-bulk',
        (tx) => expandOne(services, tx, user_id),
        skuContention,
      )
      if (again) unfinished.push(user_id)
    }
    users = unfinished
  }
}

/** Works on one job of a user. Returns whether there may be more to do. */
async function expandOne(services: Services, tx: Transaction, user_id: number): Promise<boolean> {
  const job = await tx.oneOrNone(sql.claimBulkJob({ ...perPlatform, user_id }))
  if (!job) return false
  const rows = await tx.any(sql.nextBulkItems({ ...job, ...perPlatform, count: perStep }))
  // Lock the items first, as a sale does, and before any event: a holder of the user's event counter must not wait for
  // an item.
  await lockItems(tx, { user_id: job.user_id, uids: [...new Set(rows.map(({ item_uid }) => item_uid))] })
  await inSpan({ kind: 'consumer', name: 'bulk-jobs', parent: readTraceparent(job.traceparent) }, async () => {
    if (job.action === 'edit') await editRows(tx, job, rows)
    else for (const row of rows) await beginRow(services, tx, job, job.action, row)
  })
  const { status } = await tx.one(sql.advanceBulkJob(job))
  return rows.length > 0 || status === 'completed'
}

/** Edits the items of rows together. */
async function editRows(tx: Transaction, job: Job, rows: Row[]): Promise<void> {
  const { user_id, uid, item_edit } = job
  const items = rows.map(({ item_uid, position }) => ({ uid: item_uid, index: position - 1 }))
  const failures = await editItems(tx, { user_id, change_uid: changeOfJob(uid), items, order: item_edit! })
  for (const { position, item_uid } of rows) {
    const failure = failures.get(item_uid)
    await storeRow(tx, job, position, failure ? { status: 'failed', ...failure } : { status: 'succeeded' })
  }
}

async function beginRow(
  services: Services,
  tx: Transaction,
  job: Job,
  action: Exclude<Job['action'], 'edit'>,
  row: Row,
): Promise<void> {
  const begin = { list: beginList, delist: beginDelist, price: changePrice }[action]
  const result = await begin(services, tx, job, row).catch((error: unknown): BulkRowResult => {
    if (!(error instanceof HttpProblem)) throw error
    return { status: 'failed', error_code: error.code, error_message: error.message }
  })
  await storeRow(tx, job, row.position, result)
}

async function storeRow(tx: Queries, { user_id, uid }: Job, position: number, result: BulkRowResult): Promise<void> {
  const none = { operation_id: null, listing_id: null, listing_url: null, error_code: null, error_message: null }
  await tx.none(sql.setBulkItem({ ...none, ...result, user_id, uid, position }))
}

async function beginList(services: Services, tx: Transaction, job: Job, row: Row): Promise<BulkRowResult> {
  const { user_id } = job
  const platform = platformOf(row.platform)
  const item = await findItem(tx, user_id, row.item_uid)
  if (!item) return { status: 'failed', error_code: 'not_found', error_message: 'There is no such item.' }
  const price_minor = await listingPrice(tx, user_id, item, { platform: platform.slug, price: job.price })
  if (platform.capabilities.list === 'api') {
    const shop = await requireShop(services, user_id, platform.slug, await shopNamedFor(tx, job, platform.slug))
    const { id } = await queueListing(tx, {
      user_id,
      item,
      platform: platform.slug,
      seller_account_uid: shop.uid,
      price_minor,
      options: row.options ?? {},
      cause: 'bulk',
      cause_ref: job.uid,
    })
    await saveItemDetails(tx, { user_id, item_uid: item.uid }, row.options ?? {})
    return { status: 'pending', operation_id: id }
  }
  await requireAvailable(tx, { user_id, item_uid: item.uid })
  const live = await tx.oneOrNone(
    listingsSql.findLiveListing({
      user_id,
      item_uid: item.uid,
      platform: platform.slug,
    }),
  )
  if (live) return { status: 'succeeded', listing_id: live.listing_id, listing_url: live.url }
  const asked = { user_id, item, platform: platform.slug as ExtensionSlug, price_minor } as const
  const listing_url = await openListTask(tx, { ...asked, cause: 'bulk', cause_ref: job.uid })
  return { status: 'manual', listing_url }
}

function changePrice(_services: Services, tx: Transaction, job: Job, row: Row): Promise<BulkRowResult> {
  const { user_id, uid, price_change } = job
  return changeItemPrice(tx, { user_id, item_uid: row.item_uid, change_uid: changeOfJob(uid), change: price_change! })
}

async function beginDelist(_services: Services, tx: Transaction, job: Job, row: Row): Promise<BulkRowResult> {
  const { user_id, uid } = job
  const { item_uid, platform } = row
  const change_uid = changeOfJob(uid)
  const made = await takeDown(tx, { user_id, item_uid, platform, change_uid, cause: 'bulk', cause_ref: uid })
  const [operation] = made.operations
  if (operation) return { status: 'pending', operation_id: operation.id, listing_id: operation.listing_id }
  if (made.tasks.length > 0) return { status: 'manual' }
  // A listing is being published. The row waits until that is undone.
  if (made.cancelled.length > 0) return { status: 'pending' }
  return { status: 'succeeded' }
}
