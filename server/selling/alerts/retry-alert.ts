import { type Queries, sql } from '#server/infra/db/index.ts'
import { notify } from '#server/infra/db/pubsub.ts'
import { notFound, problem } from '#server/infra/errors.ts'
import { delistChannel } from '#server/selling/listings/operation.ts'
import { lockItemState } from '#server/selling/listings/operations/listing-rows.ts'
import { queueListing } from '#server/selling/listings/operations/queue-listing.ts'
import { findItem, requireSeller, requireShop } from '#server/selling/listings/preflight/prerequisites.ts'
import type { Services } from '#server/services.ts'
import type { ListingOptions } from '#shared/contract/listings.ts'
import type { Alert } from '#shared/contract/orders.ts'
import type { PlatformSlug } from '#shared/platforms.ts'
import { readAlert } from './list-alerts.ts'

const retryTakeDown = sql(import.meta.url, './sql/retry-take-down.sql')
const findRefused = sql(import.meta.url, './sql/find-refused-listing.sql')
const setOperation = sql(import.meta.url, './sql/set-operation.sql')

interface AlertRef {
  user_id: number
  uid: string
}

/** The values that the failed listing was asked for with. */
interface RefusedListing {
  platform: PlatformSlug
  seller_account_uid: string
  price_minor: number
  options: ListingOptions
  cause_ref: string
}

/**
 * Has the worker try at once what an alert waits for. The calls to the platform stay within its limits. Throws 404, 409
 * `conflict` for an alert that Hapax can do nothing about, and the problems of listing.
 */
export async function retryAlert(services: Services, alert: AlertRef): Promise<Alert> {
  const { db, config } = services
  const found = await db.oneOrNone<Pick<Alert, 'kind' | 'state'> & { item_uid: string }>(retryTakeDown, alert)
  if (!found) throw notFound()
  const { kind, state, item_uid } = found
  if (kind === 'delist_overdue') notify(db, delistChannel)
  else if (kind !== 'listing_refused') throw problem('conflict', 'There is nothing to try again.')
  else if (state === 'open') await db.tx('list-refused', (tx) => listAgain(services, tx, { ...alert, item_uid }))
  return readAlert(db, config.PUBLIC_URL, { ...alert, state })
}

/** Lists an item again as it was asked for. Does nothing while that is under way, or if the alert is over by now. */
async function listAgain(services: Services, tx: Queries, alert: AlertRef & { item_uid: string }): Promise<void> {
  const { user_id, item_uid } = alert
  // Locked first, so that of two presses the second sees what the first has queued.
  await lockItemState(tx, alert)
  const refused = await tx.oneOrNone<RefusedListing>(findRefused, alert)
  const item = await findItem(tx, user_id, item_uid)
  if (!refused || !item) return
  await requireSeller(services, user_id)
  await requireShop(services, user_id, refused.platform, refused.seller_account_uid)
  const { id } = await queueListing(tx, { ...refused, user_id, item, cause: 'user' })
  await tx.none(setOperation, { ...alert, operation_id: id })
}
