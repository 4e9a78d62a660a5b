import { transaction } from '#server/infra/db/transaction.ts'
import { problem } from '#server/infra/errors.ts'
import type { Services } from '#server/services.ts'
import type { ListingResult } from '#shared/contract/selling/listings.ts'
import type { ListingField } from '#shared/platforms.ts'
import { awaitOutcome } from './await-outcome.ts'
import { problemOf } from './list-item.ts'
import { type ListingUpdateOrder, queueListingUpdates } from './operations/queue-listing-update.ts'
import { findTarget, requirePrice } from './preflight/prerequisites.ts'
import * as sql from './queries.ts'

interface Reply {
  status: 200 | 202
  body: ListingResult
}

/**
 * Sends an item's content to its live listing on a platform. Throws 404, and 409 `not_available` where it is not live
 * or a field cannot be changed there.
 */
export async function updateListing(
  services: Services,
  user_id: number,
  params: { uid: string; slug: string },
  fields: readonly ListingField[],
): Promise<Reply> {
  const { order, live, platform } = await findLiveListing(services, user_id, params)
  const editable: readonly ListingField[] = platform.capabilities.edit
  const locked = fields.find((field) => !editable.includes(field))
  if (locked) throw problem('not_available', `The ${locked} of a listing can only be changed on ${platform.name}.`)
  return send(services, user_id, { ...order, fields }, live)
}

/**
 * Changes the price of an item's live listing on a platform. Throws 404, 400, and 409 `not_available` where it is not
 * live.
 */
export async function changeListingPrice(
  services: Services,
  user_id: number,
  params: { uid: string; slug: string },
  text: string,
): Promise<Reply> {
  const { order, live } = await findLiveListing(services, user_id, params)
  const { currency } = live
  const price = { price_minor: requirePrice(text, currency), currency }
  return send(services, user_id, { ...order, fields: ['price'], price }, live)
}

interface LiveListing {
  listing_id: string
  url: string
  currency: string
}

async function findLiveListing({ db }: Services, user_id: number, params: { uid: string; slug: string }) {
  const { item, platform } = await findTarget(db, user_id, params)
  const key = { user_id, item_uid: item.uid, platform: platform.slug }
  const live = await db.oneOrNone(sql.findLiveListing(key))
  if (!live || platform.capabilities.list !== 'api') {
    throw problem('not_available', `Hapax has no listing of it on ${platform.name}.`)
  }
  return { order: { item_uid: item.uid, platforms: [platform.slug] }, live, platform }
}

/** Queues an update and waits a while for its outcome. Throws the problem that it ended with. */
async function send(
  { db, times }: Services,
  user_id: number,
  order: ListingUpdateOrder,
  live: LiveListing,
): Promise<Reply> {
  const operations = await transaction(db, 'update-listing', (tx) => queueListingUpdates(tx, user_id, [order]))
  if (operations.length === 0) throw problem('not_available', `The listing is in ${live.currency}, unlike the item.`)
  const body = { status: 'listed', listing_id: live.listing_id, listing_url: live.url } as const
  const isDone = await awaitOutcome(async () => {
    for (const { id } of operations) {
      const { state, ...error } = await db.one(
        sql.findOutcome({
          user_id,
          id,
        }),
      )
      if (state === 'failed') throw problemOf(error)
      if (state === 'open') return null
      // A newer update took over its fields, or the listing is being ended.
      if (state === 'cancelled') return false
    }
    return true
  }, times.listingOutcomeMs)
  return isDone ? { status: 200, body } : { status: 202, body: { ...body, status: 'pending' } }
}
