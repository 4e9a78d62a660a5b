import { transaction } from '#server/infra/db/transaction.ts'
import type { Services } from '#server/services.ts'
import type { ListingResult } from '#shared/contract/selling/listings.ts'
import { newId } from '#shared/identity.ts'
import { awaitOutcome } from './await-outcome.ts'
import { findTarget } from './preflight/prerequisites.ts'
import * as sql from './queries.ts'
import { takeDown } from './take-down.ts'

/**
 * Takes an item down from a platform, also a listing that Hapax did not publish. Requires no
 * subscription or address and throws only 404. Returns `delisted` once the platform, read back, no longer shows it, and
 * `delisting` until then. Returns `not_listed` without a listing, and `manual` with a task if only the seller can end it.
 */
export async function delistItem(
  services: Services,
  user_id: number,
  params: { uid: string; slug: string },
): Promise<{ status: 200 | 202; body: ListingResult }> {
  const { item, platform } = await findTarget(services.db, user_id, params)
  const key = { user_id, item_uid: item.uid, platform: platform.slug }
  const live = await services.db.oneOrNone(sql.findLiveListing(key))
  const change_uid = newId('chg')
  const ordered = await transaction(services.db, 'delist-item', (tx) =>
    takeDown(tx, { ...key, change_uid, cause: 'user', cause_ref: null }),
  )
  const undo = ordered.isChange ? { change_uid } : {}
  const listing = { listing_id: live?.listing_id ?? '', listing_url: live?.url ?? '', ...undo }
  if (ordered.tasks.length > 0) return { status: 200, body: { status: 'manual', ...listing } }

  const end = await awaitOutcome(async () => {
    const now = await services.db.one(sql.findDelisting(key))
    return now.open === 0 ? now : null
  }, services.times.listingOutcomeMs)
  if (!end || end.live > 0) return { status: 202, body: { status: 'delisting', ...listing } }
  const wasThere = ordered.operations.length + ordered.cancelled.length > 0
  if (!wasThere || !end.is_confirmed) return { status: 200, body: { status: 'not_listed', ...listing } }
  return {
    status: 200,
    body: { status: 'delisted', listing_id: end.listing_id ?? '', listing_url: end.listing_url ?? '', ...undo },
  }
}
