import type { Queries } from '#server/infra/db/index.ts'
import { notify } from '#server/infra/db/pubsub.ts'
import { notFound, problem } from '#server/infra/errors.ts'
import { delistChannel } from '#server/selling/listings/operation.ts'
import type { Services } from '#server/services.ts'
import type { Alert } from '#shared/contract/selling/orders.ts'
import { readAlert } from './list-alerts.ts'
import * as sql from './queries.ts'

/** A reading of a shop, or of some of its listings. */
interface Reading {
  user_id: number
  platform: string
  /** The shop that was read as a whole. */
  seller_account_uid?: string
  /** The listings that were read one by one. */
  listing_ids?: readonly string[]
  /** The listings that it shows on offer, where the platform may lag behind. */
  on_offer?: readonly string[]
  /** No page of it was read before (ISO). */
  read_since: string
  /** The import that read it. */
  job_uid?: string
}

/**
 * Notes that the seller says to have ended a listing. The alert stays open until the listing is seen down or the seller
 * dismisses it. A second time changes nothing. Throws 404, and 409 for an alert about something else.
 */
export async function sayEnded(services: Services, alert: { user_id: number; uid: string }): Promise<Alert> {
  const { db, config } = services
  const found = await db.oneOrNone(sql.sayEnded(alert))
  if (!found) throw notFound()
  if (found.kind !== 'delist_overdue') throw problem('conflict', 'This alert is about no listing to end.')
  notify(db, delistChannel)
  return readAlert(db, config, alert)
}

/** Resolves the alerts about listings that the seller said to have ended, and that a reading since then did not find. */
export async function resolveSeenDown(queries: Queries, reading: Reading): Promise<void> {
  await queries.none(
    sql.resolveSeenDown({ seller_account_uid: null, listing_ids: null, on_offer: [], job_uid: null, ...reading }),
  )
}
