import { type Queries, sql } from '#server/infra/db/index.ts'
import { HttpProblem, problem } from '#server/infra/errors.ts'
import { PlatformError } from '#server/integrations/errors.ts'
import type { PublishedListing } from '#server/integrations/port.ts'
import { platformOf } from '#shared/platforms.ts'
import { choose } from './choose-options.ts'
import type { LeasedOperation } from './leased-operation.ts'
import { emitListingEvent, settleOverdueAlert } from './listing-events.ts'
import { LeaseLostError, type ListingOperation, priorities } from './operation.ts'
import { findPublishable, publishRequest } from './publish-request.ts'
import { queueDelisting } from './queue-delisting.ts'
import { rememberChoices } from './remember-choices.ts'
import { rereadMs, settleMs } from './retry-policy.ts'

const lockItemState = sql(import.meta.url, './sql/lock-item-state.sql')
const findLive = sql(import.meta.url, './sql/find-live-listing.sql')
const keepListing = sql(import.meta.url, './sql/store-listing.sql')
const queueOrphanDelist = sql(import.meta.url, './sql/delist-lost-listing.sql')
const settleRelistOffer = sql(import.meta.url, './sql/resolve-relist-offer.sql')
const touchItem = sql(import.meta.url, './sql/touch-item.sql')
const endListing = sql(import.meta.url, './sql/end-listing.sql')

/** A published listing that reading back does not show is waited for, so long; then it counts as not live. */
const showWithinMs = 300_000

interface LiveListing {
  seller_account_uid: string
  listing_id: string
  url: string
  state: 'available' | 'reserved'
  known_ms: number
}

/**
 * Puts a listing up (spec 4.15): what is up already is the answer; what an earlier, lost attempt made is found before
 * anything is sent again; it is recorded while the item's row is held, so that a sale that came meanwhile
 * has it taken down; and it is done when the platform, read back, shows it.
 */
export async function runList(leased: LeasedOperation): Promise<void> {
  const { operation } = leased
  if (operation.is_accepted) return verifyListed(leased)
  await leased.checkpoint('begin')
  const item = await findPublishable(leased)
  const isWanted = !operation.is_cancelled && item?.state === 'available'
  const live = await findLiveListing(leased)
  if (!isWanted || !item) return rollBack(leased)
  if (live && (await adoptLiveListing(leased, live))) return

  const found = operation.sent_ms_ago === null ? null : await findEarlierAttempt(leased)
  const published = found ?? (await publish(leased, item))
  await leased.checkpoint('published')
  await remember(leased)
  const isRecorded = await record(leased, published, item.sku).catch((error: unknown) => {
    if (error instanceof LeaseLostError) error.made = published
    throw error
  })
  await leased.checkpoint('recorded')
  if (!isRecorded) return
  // From here on it is up: what fails later is the proof.
  operation.is_accepted = true
  await verifyListed(leased, published.listing_id)
}

/** What an earlier attempt put up: by our key, or by the id that was kept. */
function findEarlierAttempt(leased: LeasedOperation): Promise<PublishedListing | null> {
  const key = keyOf(leased)
  const { listing_id, listing_url, platform } = leased.operation
  return leased.onPlatform(async (port, access) => {
    const found = await port.findPublished(access, key)
    if (found || listing_id === null || (await port.readState(access, listing_id)) !== 'live') return found
    return { listing_id, url: listing_url ?? platformOf(platform).url }
  })
}

/** Nothing went up: what stands half made on the platform is cleared away. A nicety, and no reason to fail. */
async function discard(leased: LeasedOperation): Promise<void> {
  const left = { externalKey: keyOf(leased), made: leased.operation.listing_id }
  await leased
    .onPlatform(async (port, access) => port.discard?.(access, left))
    .catch((error: unknown) =>
      leased.services.log.warn(
        { err: error, operation: leased.operation.id },
        'what was left of a listing was not cleared away',
      ),
    )
}

/**
 * What was chosen becomes the default before the listing is recorded, which answers who waits: what they ask next knows
 * it. A nicety, and no reason to fail.
 */
async function remember({ services, operation }: LeasedOperation): Promise<void> {
  if (!operation.options_to_remember) return
  await rememberChoices(services.db, operation, operation.options_to_remember).catch((error: unknown) =>
    services.log.warn({ err: error, operation: operation.id }, 'what was chosen for a listing was not remembered'),
  )
}

async function publish(
  leased: LeasedOperation,
  item: NonNullable<Awaited<ReturnType<typeof findPublishable>>>,
): Promise<PublishedListing> {
  const options = await choose(leased, item)
  const request = publishRequest(leased.operation, item, options)
  return leased.onPlatform((port, access) => port.publish(access, request, (name, made) => leased.step(name, made)))
}

/**
 * A listing that we hold for live is read: where the platform shows it, it is the answer. One that is not live is recorded
 * as ended, and false says to go on. One put up a moment ago may not show yet: it is read again later.
 */
async function adoptLiveListing(leased: LeasedOperation, live: LiveListing): Promise<boolean> {
  const { operation, services } = leased
  const listing = { ...operation, seller_account_uid: live.seller_account_uid, listing_id: live.listing_id }
  const isOtherShop = live.seller_account_uid !== operation.seller_account_uid
  const read = await leased
    .onPlatform((port, access) => port.readState(access, live.listing_id), listing)
    .catch((error: unknown) => {
      // Another shop of the seller's that lets nobody in: nothing says that its listing is down.
      if (isOtherShop && isLostShop(error)) return null
      throw error
    })
  const state = read ?? 'live'
  if (state === 'live') {
    await services.db.tx('already-listed', async (tx) => {
      await leased.accept(tx, live)
      await leased.finish(tx, { state: 'done', confirmed: read !== null })
    })
    return true
  }
  if (state === 'missing' && live.known_ms < settleMs) {
    await leased.postpone({ afterMs: rereadMs(live.known_ms) })
    return true
  }
  // The item is available: what an order had held there is sold to nobody, whatever the platform goes on calling it.
  const isSold = state === 'sold' && live.state !== 'reserved'
  await services.db.none(endListing, { ...listing, state: isSold ? 'sold' : 'removed' })
  if (isSold) throw problem('not_available', 'The listing there was sold.')
  return false
}

function isLostShop(error: unknown): boolean {
  if (error instanceof HttpProblem) return error.code === 'not_found'
  return error instanceof PlatformError && (error.failure === 'reconnect' || error.failure === 'unauthorized')
}

/**
 * Records what is live now, with the item's row held. A sale, or the seller, that came first has it taken down in the
 * same transaction. Answers whether the listing is still to be read back by this intent.
 */
async function record(leased: LeasedOperation, published: PublishedListing, sku: string | null): Promise<boolean> {
  const { operation, services } = leased
  return services.db.tx('record-listing', async (tx) => {
    const item = await tx.oneOrNone<{ state: string }>(lockItemState, operation)
    const { is_cancelled } = await leased.accept(tx, published)
    if (!item) {
      await leased.finish(tx, { state: 'cancelled', error_code: 'not_found', error_message: 'The item was deleted.' })
      await tx.none(queueOrphanDelist, { ...operation, ...published, priority: priorities.sale })
      return false
    }
    await tx.none(keepListing, {
      ...operation,
      listing_id: published.listing_id,
      url: published.url,
      sku: operation.external_key ?? sku,
    })
    await tx.none(touchItem, operation)
    const isWanted = !is_cancelled && item.state === 'available'
    if (isWanted) await tx.none(settleRelistOffer, operation)
    else await delistUnwanted(tx, operation)
    await emitListingEvent(tx, 'listing.listed', {
      ...operation,
      listing_id: published.listing_id,
      listing_url: published.url,
    })
    return isWanted
  })
}

/** What went up although nobody wants it any more. */
async function delistUnwanted(
  tx: Queries,
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

/** Reads the listing back until it shows (decisions 8: each result is proven). */
async function verifyListed(leased: LeasedOperation, made?: string): Promise<void> {
  const { operation, services } = leased
  const listing_id = made ?? operation.listing_id
  if (listing_id === null) throw new Error('an accepted listing has no id')
  await leased.checkpoint('read-back')
  const state = await leased.onPlatform((port, access) => port.readState(access, listing_id))
  if (state === 'live' || state === 'sold') {
    await services.db.tx('listing-proven', (tx) => leased.finish(tx, { state: 'done', confirmed: true }))
    return
  }
  const since = operation.accepted_ms_ago ?? 0
  if (since < showWithinMs) return leased.postpone({ afterMs: rereadMs(since) })
  await services.db.tx('listing-not-live', async (tx) => {
    await tx.oneOrNone(lockItemState, operation)
    const error = {
      error_code: 'platform_failed',
      error_message: 'The platform took the listing and does not show it.',
    }
    await leased.finish(tx, { state: 'failed', ...error })
    await emitListingEvent(tx, 'listing.failed', operation, error)
    // It may yet show: it is down when it was taken down and is proven to be, like any other.
    await delistUnwanted(tx, operation, 'The platform took it and does not show it')
  })
}

/**
 * The listing is not wanted any more, and an earlier attempt may have made it: whatever is found is recorded and ordered
 * down. Where nothing is found it is looked for until nothing that was sent can still arrive.
 */
async function rollBack(leased: LeasedOperation): Promise<void> {
  const { operation, services } = leased
  const end = {
    state: operation.error_code ? 'failed' : 'cancelled',
    error_code: operation.error_code ?? 'not_available',
    error_message: operation.error_message ?? 'The item was no longer available.',
  } as const
  const finish = () =>
    services.db.tx('end-listing-intent', async (tx) => {
      await leased.finish(tx, end)
      await settleOverdueAlert(tx, operation)
      const { state, ...error } = end
      if (state === 'failed') await emitListingEvent(tx, 'listing.failed', operation, error)
    })
  if (operation.sent_ms_ago === null) return finish()

  await leased.checkpoint('look-for-lost')
  const found = await findEarlierAttempt(leased)
  if (!found) {
    if (operation.sent_ms_ago > settleMs) {
      await discard(leased)
      return finish()
    }
    return leased.postpone({ afterMs: Math.max(rereadMs(operation.sent_ms_ago), 1_000) })
  }
  await services.db.tx('undo-listing', async (tx) => {
    const item = await tx.oneOrNone(lockItemState, operation)
    await leased.accept(tx, found)
    if (!item) {
      await leased.finish(tx, end)
      await tx.none(queueOrphanDelist, { ...operation, ...found, priority: priorities.sale })
      return
    }
    await tx.none(keepListing, {
      ...operation,
      listing_id: found.listing_id,
      url: found.url,
      sku: operation.external_key,
    })
    await tx.none(touchItem, operation)
    await leased.finish(tx, end)
    // Now it is known which listing it is: an alarm goes on only if that one does not come down.
    if (operation.listing_id === null) await settleOverdueAlert(tx, operation)
    await delistUnwanted(tx, operation)
  })
}

function findLiveListing({ services, operation }: LeasedOperation): Promise<LiveListing | null> {
  return services.db.oneOrNone<LiveListing>(findLive, operation)
}

function keyOf({ operation }: LeasedOperation): string {
  if (operation.external_key === null) throw new Error('a listing intent has no external key')
  return operation.external_key
}
