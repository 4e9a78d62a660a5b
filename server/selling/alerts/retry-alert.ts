import type { Queries } from '#server/infra/db/index.ts'
import { notify } from '#server/infra/db/pubsub.ts'
import { transaction } from '#server/infra/db/transaction.ts'
import { notFound, problem } from '#server/infra/errors.ts'
import { delistChannel } from '#server/selling/listings/operation.ts'
import { lockItemState } from '#server/selling/listings/operations/listing-rows.ts'
import { queueListing } from '#server/selling/listings/operations/queue-listing.ts'
import { findItem, requireSeller, requireShop } from '#server/selling/listings/preflight/prerequisites.ts'
import type { Services } from '#server/services.ts'
import type { Alert } from '#shared/contract/selling/orders.ts'
import { readAlert } from './list-alerts.ts'
import * as sql from './queries.ts'

interface AlertRef {
  user_id: number
  uid: string
}

/**
 * Has the worker try at once what an alert waits for. The calls to the platform stay within its limits. Throws 404, 409
 * `conflict` for an alert that Hapax can do nothing about, and the problems of listing.
 */
export async function retryAlert(services: Services, alert: AlertRef): Promise<Alert> {
  const { db, config } = services
  const found = await db.oneOrNone(sql.retryTakeDown(alert))
  if (!found) throw notFound()
  const { kind, state, item_uid } = found
  if (kind === 'delist_overdue') notify(db, delistChannel)
  else if (kind !== 'listing_refused') throw problem('conflict', 'There is nothing to try again.')
  else if (state === 'open')
    await transaction(db, 'retry-refused-listing', (tx) => listAgain(services, tx, { ...alert, item_uid }))
  return readAlert(db, config, alert)
}

/** Lists an item again as it was asked for. Does nothing while that is under way, or if the alert is over by now. */
async function listAgain(services: Services, tx: Queries, alert: AlertRef & { item_uid: string }): Promise<void> {
  const { user_id, item_uid } = alert
  // Locked first, so that of two presses the second sees what the first has queued.
  await lockItemState(tx, alert)
  const refused = await tx.oneOrNone(sql.findRefusedListing(alert))
  const item = await findItem(tx, user_id, item_uid)
  if (!refused || !item) return
  await requireSeller(services, user_id)
  await requireShop(services, user_id, refused.platform, refused.seller_account_uid)
  const { id } = await queueListing(tx, { ...refused, user_id, item, cause: 'user' })
  await tx.none(sql.setOperation({ ...alert, operation_id: id }))
}
