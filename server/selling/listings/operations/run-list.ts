import type { Transaction } from '#server/infra/db/index.ts'
import { transaction } from '#server/infra/db/transaction.ts'
import { HttpProblem, problem } from '#server/infra/errors.ts'
import { LeaseLostError } from '#server/infra/jobs/lease.ts'
import { PlatformError } from '#server/integrations/errors.ts'
import type { PublishedListing, PublishRequest } from '#server/integrations/port.ts'
import type { SentListing } from '#server/integrations/read-back.ts'
import { platformOf } from '#shared/platforms.ts'
import { type ListingOperation, OrphanedListingError, priorities } from '../operation.ts'
import { findPublishable, publishRequest } from '../preflight/publish-request.ts'
import { rememberChoices } from '../preflight/remember-choices.ts'
import * as listingsSql from '../queries.ts'
import { findNamedReplacement } from '../reconcile/find-relistings.ts'
import { choose } from './choose-options.ts'
import type { LeasedOperation } from './leased-operation.ts'
import { emitListingEvent, raiseRefusedListing, settleOverdueAlert } from './listing-events.ts'
import * as sql from './queries.ts'
import { queueDelisting } from './queue-delisting.ts'
import { passOn, readListing, sentOf } from './read-back.ts'
import { rereadMs, settleMs } from './retry-policy.ts'

/** Time for a published listing to show. After that it counts as not live. */
const showWithinMs = 300_000

interface LiveListing {
  seller_account_uid: string
  listing_id: string
  url: string
  state: 'available' | 'reserved'
  known_ms: number
}

/**
 * Publishes a listing. Answers with a live listing if there is one. Finds what a lost earlier attempt made
 * before sending again. Records the listing with the item locked, so that a sale that came meanwhile delists it. Done
 * when the platform, read back, shows it.
 */
export async function runList(leased: LeasedOperation): Promise<void> {
  const { operation } = leased
  if (operation.is_accepted) return verifyListed(leased)
  const item = await findPublishable(leased)
  const isWanted = !operation.is_cancelled && item?.state === 'available'
  const live = await findLiveListing(leased)
  if (!isWanted || !item) return rollBack(leased)
  if (!live && operation.sent_ms_ago === null && (await isRelistedThere(leased))) return runList(leased)
  if (live && (await adoptLiveListing(leased, live))) return

  const found = operation.sent_ms_ago === null ? null : await findBeforeRepeat(leased)
  const made = found ? null : await publish(leased, item)
  const published = found ?? made!.published
  await remember(leased)
  const isRecorded = await record(leased, published, item.sku).catch((error: unknown) => {
    if (error instanceof LeaseLostError) throw new OrphanedListingError(published)
    throw error
  })
  if (!isRecorded) return
  // The listing is live now. Only its verification can still fail.
  operation.is_accepted = true
  await verifyListed(leased, published, made?.request)
}

/** Finds the listing of an earlier attempt, unless the platform finds it itself when the request is repeated. */
async function findBeforeRepeat(leased: LeasedOperation): Promise<PublishedListing | null> {
  const { platforms } = leased.services
  return platforms.get(leased.operation.platform)?.listings?.isIdempotent ? null : findEarlierAttempt(leased)
}

/** Returns whether the platform has listed the item again by itself, after recording the listing. */
async function isRelistedThere({ services, operation }: LeasedOperation): Promise<boolean> {
  const ended = await services.db.oneOrNone(sql.findEndedListing(operation))
  if (!ended || !(await findNamedReplacement(services, operation, ended.listing_id))) return false
  return (await services.db.oneOrNone(listingsSql.findLiveListing(operation))) !== null
}

/** Finds the listing of an earlier attempt, by our key or by its stored id. */
function findEarlierAttempt(leased: LeasedOperation): Promise<PublishedListing | null> {
  const key = keyOf(leased)
  const { listing_id, listing_url, platform } = leased.operation
  return leased.onPlatform(async (port, access) => {
    const found = await port.findPublished(access, key)
    if (found || listing_id === null || (await port.readState(access, listing_id)) !== 'live') return found
    return { listing_id, url: listing_url ?? platformOf(platform).url }
  })
}

/** Deletes a half-made draft from the platform. Failing to do so is only logged. */
async function discard(leased: LeasedOperation): Promise<void> {
  const left = { externalKey: keyOf(leased), made: leased.operation.listing_id }
  await leased
    .onPlatform(async (port, access) => port.discard?.(access, left))
    .catch((error: unknown) =>
      leased.services.log.warn({ err: error, operation: leased.operation.id }, 'a listing draft could not be deleted'),
    )
}

/**
 * Saves the chosen options as defaults before the listing is recorded, because recording it answers the waiting caller.
 * Failing to do so is only logged.
 */
async function remember({ services, operation }: LeasedOperation): Promise<void> {
  if (!operation.options_to_remember) return
  await rememberChoices(services.db, operation, operation.options_to_remember).catch((error: unknown) =>
    services.log.warn(
      { err: error, operation: operation.id },
      'the choices of a listing could not be saved as defaults',
    ),
  )
}

async function publish(
  leased: LeasedOperation,
  item: NonNullable<Awaited<ReturnType<typeof findPublishable>>>,
): Promise<{ published: PublishedListing; request: PublishRequest }> {
  const options = await choose(leased, item)
  const request = publishRequest(leased.operation, item, options)
  const published = await leased.onPlatform((port, access) => port.publish(access, request, leased.beforeSend))
  return { published, request }
}

/** Returns what an earlier attempt sent, as the item has it now; null if it is not known. */
async function sentEarlier(leased: LeasedOperation): Promise<SentListing | null> {
  const { operation } = leased
  const item = operation.is_chosen && operation.price_minor !== null ? await findPublishable(leased) : null
  return item?.address ? sentOf(publishRequest(operation, item, operation.options)) : null
}

/**
 * Reads a listing that is live in our records. If the platform shows it, it is the answer. If it is not live it is
 * recorded as ended, and false means go on. A listing published a moment ago may not show yet and is read again later.
 */
async function adoptLiveListing(leased: LeasedOperation, live: LiveListing): Promise<boolean> {
  const { operation, services } = leased
  const listing = { ...operation, seller_account_uid: live.seller_account_uid, listing_id: live.listing_id }
  const isOtherShop = live.seller_account_uid !== operation.seller_account_uid
  const read = await leased
    .onPlatform((port, access) => port.readState(access, live.listing_id), listing)
    .catch((error: unknown) => {
      // An unreachable other shop does not prove that its listing is down.
      if (isOtherShop && isLostShop(error)) return null
      throw error
    })
  const state = read ?? 'live'
  if (state === 'live') {
    await transaction(services.db, 'adopt-live-listing', async (tx) => {
      await leased.accept(tx, live)
      await leased.finish(tx, { state: 'done', confirmed: read !== null })
      await tx.none(listingsSql.resolveRelistOffer(operation))
    })
    return true
  }
  if (state === 'missing' && live.known_ms < settleMs) {
    await leased.postpone({ afterMs: rereadMs(live.known_ms) })
    return true
  }
  // The item is available, so an order that held this listing sold it to nobody, whatever the platform says.
  const isSold = state === 'sold' && live.state !== 'reserved'
  await services.db.none(sql.endListing({ ...listing, state: isSold ? 'sold' : 'removed' }))
  if (isSold) throw problem('not_available', 'The listing there has been sold.')
  return false
}

function isLostShop(error: unknown): boolean {
  if (error instanceof HttpProblem) return error.code === 'not_found'
  return error instanceof PlatformError && (error.failure === 'reconnect' || error.failure === 'unauthorized')
}

/**
 * Records the listing as live with the item locked. If a sale or the seller came first, it is delisted in the same
 * transaction. Returns whether this operation still has to read it back.
 */
async function record(leased: LeasedOperation, published: PublishedListing, sku: string | null): Promise<boolean> {
  const { operation, services } = leased
  return transaction(services.db, 'record-listing', async (tx) => {
    const item = await tx.oneOrNone(listingsSql.lockItemState(operation))
    const { is_cancelled } = await leased.accept(tx, published)
    if (!item) {
      await leased.finish(tx, { state: 'cancelled', error_code: 'not_found', error_message: 'The item was deleted.' })
      await tx.none(sql.delistLostListing({ ...operation, ...published, priority: priorities.sale }))
      return false
    }
    await tx.none(
      sql.storeListing({
        ...operation,
        listing_id: published.listing_id,
        url: published.url,
        sku: operation.external_key ?? sku,
      }),
    )
    await tx.none(listingsSql.touchItem(operation))
    const isWanted = !is_cancelled && item.state === 'available'
    if (isWanted) await tx.none(listingsSql.resolveRelistOffer(operation))
    else await delistUnwanted(tx, operation)
    await emitListingEvent(tx, 'listing.listed', {
      ...operation,
      listing_id: published.listing_id,
      listing_url: published.url,
    })
    return isWanted
  })
}

/** Delists a listing that nobody wants any more. */
async function delistUnwanted(
  tx: Transaction,
  operation: ListingOperation,
  reason = 'It was sold or taken back while it was being listed',
): Promise<void> {
  await queueDelisting(tx, {
    user_id: operation.user_id,
    item_uid: operation.item_uid,
    except: null,
    cause: 'compensation',
    cause_ref: operation.id,
    reason,
    platforms: [operation.platform],
  })
}

/** Reads the listing back until it shows, and compares it with what was sent. */
async function verifyListed(leased: LeasedOperation, made?: PublishedListing, request?: PublishRequest): Promise<void> {
  const { operation, services } = leased
  const listing_id = made?.listing_id ?? operation.listing_id
  if (listing_id === null) throw new Error('an accepted listing has no id')
  const sent = request ? sentOf(request, made?.photo_ids) : await sentEarlier(leased)
  const read = await readListing(leased, listing_id, sent)
  if (read.state === 'live' || read.state === 'sold') {
    await transaction(services.db, 'finish-shown-listing', async (tx) => {
      await leased.finish(tx, { state: 'done', confirmed: true })
      await passOn(leased, tx, listing_id, read)
    })
    return
  }
  const since = operation.accepted_ms_ago ?? 0
  if (since < showWithinMs) return leased.postpone({ afterMs: rereadMs(since) })
  await transaction(services.db, 'fail-missing-listing', async (tx) => {
    await tx.oneOrNone(listingsSql.lockItemState(operation))
    const error = {
      error_code: 'platform_failed',
      error_message: 'The platform took the listing and does not show it.',
    }
    await leased.finish(tx, { state: 'failed', ...error })
    await emitListingEvent(tx, 'listing.failed', operation, error)
    // It may still show up. It is delisted and verified like any other.
    await delistUnwanted(tx, operation, 'The platform took it and does not show it')
    await raiseRefusedListing(tx, operation, error, services.times)
  })
}

/**
 * Ends a listing that is no longer wanted. An earlier attempt may have made it: a found listing is recorded and
 * delisted. If none is found, the search goes on until nothing sent can still arrive.
 */
async function rollBack(leased: LeasedOperation): Promise<void> {
  const { operation, services } = leased
  const end = {
    state: operation.error_code ? 'failed' : 'cancelled',
    error_code: operation.error_code ?? 'not_available',
    error_message: operation.error_message ?? 'The item was no longer available.',
  } as const
  const finish = () =>
    transaction(services.db, 'end-list-operation', async (tx) => {
      await leased.finish(tx, end)
      await settleOverdueAlert(tx, operation)
      const { state, ...error } = end
      if (state !== 'failed') return
      await raiseRefusedListing(tx, operation, error, services.times)
      await emitListingEvent(tx, 'listing.failed', operation, error)
    })
  if (operation.sent_ms_ago === null) return finish()

  const found = await findEarlierAttempt(leased)
  if (!found) {
    if (operation.sent_ms_ago > settleMs) {
      await discard(leased)
      return finish()
    }
    return leased.postpone({ afterMs: Math.max(rereadMs(operation.sent_ms_ago), 1_000) })
  }
  await transaction(services.db, 'roll-back-listing', async (tx) => {
    const item = await tx.oneOrNone(listingsSql.lockItemState(operation))
    await leased.accept(tx, found)
    if (!item) {
      await leased.finish(tx, end)
      await tx.none(sql.delistLostListing({ ...operation, ...found, priority: priorities.sale }))
      return
    }
    await tx.none(
      sql.storeListing({
        ...operation,
        listing_id: found.listing_id,
        url: found.url,
        sku: operation.external_key,
      }),
    )
    await tx.none(listingsSql.touchItem(operation))
    await leased.finish(tx, end)
    // The listing is known now, so an alert is only due if that one does not come down.
    if (operation.listing_id === null) await settleOverdueAlert(tx, operation)
    await delistUnwanted(tx, operation)
    if (end.state === 'failed') await raiseRefusedListing(tx, operation, end, services.times)
    const { listing_id, url } = found
    await emitListingEvent(tx, 'listing.updated', { ...operation, listing_id, listing_url: url })
  })
}

function findLiveListing({ services, operation }: LeasedOperation): Promise<LiveListing | null> {
  return services.db.oneOrNone(listingsSql.findLiveListing(operation))
}

function keyOf({ operation }: LeasedOperation): string {
  if (operation.external_key === null) throw new Error('a list operation has no external key')
  return operation.external_key
}
