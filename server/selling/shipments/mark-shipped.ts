import { transaction } from '#server/infra/db/transaction.ts'
import { notFound, problem } from '#server/infra/errors.ts'
import type { Services } from '#server/services.ts'
import { plainTracking } from '#shared/carriers.ts'
import type { Shipment, Tracking } from '#shared/contract/selling/shipments.ts'
import { platformOf } from '#shared/platforms.ts'
import { findShipment } from './list-shipments.ts'
import * as sql from './queries.ts'
import { canUndo, tellsMarketplace } from './to-shipment.ts'

/** The queue of marketplaces to tell. */
export const sendQueue = 'shipments-send'

type Acting = Pick<Services, 'config' | 'db' | 'jobs' | 'times'>

/**
 * Marks an order as shipped by its seller, and has its marketplace told after a while in which that can be taken back.
 * The same call again changes nothing. Throws 404 for another user's order, 409 `conflict` for one that is shipped with
 * another tracking, and 400 `reconnect_required`.
 */
export async function markShipped(
  { config, db, jobs, times }: Acting,
  { user_id, order_uid, ...given }: { user_id: number; order_uid: string } & Tracking,
): Promise<Shipment> {
  const carrier = given.carrier ?? null
  const tracking_number = given.tracking_number === undefined ? null : plainTracking(given.tracking_number)
  return transaction(db, 'mark-shipped', async (tx) => {
    const row = await tx.oneOrNone(sql.lockShipment({ user_id, order_uid }))
    if (!row) throw notFound()
    if (row.state !== 'to_ship') {
      const isSame = row.shipped_by === 'seller' && row.carrier === carrier && row.tracking_number === tracking_number
      if (!isSame) throw problem('conflict', 'This order is marked as shipped already.')
      return findShipment(tx, config, user_id, order_uid)
    }
    const tells = tellsMarketplace(row)
    if (tells && row.shop_status === 'reconnect_required') {
      const { name } = platformOf(row.platform)
      throw problem('reconnect_required', `Connect ${name} again, so that it can be told that the order is shipped.`)
    }
    const grace_seconds = times.shipmentGraceMs / 1_000
    await tx.none(sql.markShipped({ user_id, order_uid, carrier, tracking_number, tells, grace_seconds }))
    // Refused where nothing of the order is sold, which undoes what was marked.
    const shipment = await findShipment(tx, config, user_id, order_uid)
    const job = { user_id, order_uid }
    if (tells) await jobs.send(tx, sendQueue, job, { key: order_uid, startAfterSeconds: grace_seconds })
    return shipment
  })
}

/**
 * Takes back that an order is shipped. Repeating it changes nothing. Throws 404 for another user's order, and 409
 * `conflict` once the marketplace may have been told.
 */
export async function undoShipped(
  { config, db }: Pick<Services, 'config' | 'db'>,
  { user_id, order_uid }: { user_id: number; order_uid: string },
): Promise<Shipment> {
  return transaction(db, 'undo-shipped', async (tx) => {
    const row = await tx.oneOrNone(sql.lockShipment({ user_id, order_uid }))
    if (!row) throw notFound()
    if (row.state !== 'to_ship') {
      if (!canUndo(row)) {
        const { name } = platformOf(row.platform)
        throw problem('conflict', `${name} was told already. Take it back there; the order returns here then.`)
      }
      await tx.none(sql.markUnshipped({ user_id, order_uid }))
    }
    return findShipment(tx, config, user_id, order_uid)
  })
}
