import { type Queries, sql } from '#server/infra/db/index.ts'
import { HttpProblem, problem } from '#server/infra/errors.ts'
import { PlatformError } from '#server/integrations/errors.ts'
import type { PublishedListing } from '#server/integrations/port.ts'
import { platformOf } from '#shared/platforms.ts'
import { choose } from './choose.ts'
import { rereadMs, settleMs } from './decide-wait.ts'
import type { Hold } from './hold.ts'
import { type Intent, LeaseLost } from './intent.ts'
import { insertDelistIntents, priorities } from './intents.ts'
import { findPublishable, publishRequest } from './publish-request.ts'
import { rememberChoices } from './remember-choices.ts'
import { settleOverdue, tellListing } from './tell.ts'

const lockItemState = sql(import.meta.url, './sql/lock-item-state.sql')
const findLive = sql(import.meta.url, './sql/find-live-listing.sql')
const keepListing = sql(import.meta.url, './sql/keep-listing.sql')
const orderLostDown = sql(import.meta.url, './sql/order-lost-down.sql')
const takeUpOffer = sql(import.meta.url, './sql/take-up-offer.sql')
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
export async function runList(hold: Hold): Promise<void> {
  const { intent } = hold
  if (intent.is_accepted) return verifyListed(hold)
  await hold.pass('begin')
  const item = await findPublishable(hold)
  const isWanted = !intent.is_cancelled && item?.state === 'available'
  const live = await findLiveListing(hold)
  if (!isWanted || !item) return undo(hold)
  if (live && (await answerWithLive(hold, live))) return

  const found = intent.sent_ms_ago === null ? null : await findEarlier(hold)
  const published = found ?? (await publish(hold, item))
  await hold.pass('published')
  await remember(hold)
  const isRecorded = await record(hold, published, item.sku).catch((error: unknown) => {
    if (error instanceof LeaseLost) error.made = published
    throw error
  })
  await hold.pass('recorded')
  if (!isRecorded) return
  // From here on it is up: what fails later is the proof.
  intent.is_accepted = true
  await verifyListed(hold, published.listing_id)
}

/** What an earlier attempt put up: by our key, or by the id that was kept. */
function findEarlier(hold: Hold): Promise<PublishedListing | null> {
  const key = keyOf(hold)
  const { listing_id, listing_url, platform } = hold.intent
  return hold.onPlatform(async (port, access) => {
    const found = await port.findPublished(access, key)
    if (found || listing_id === null || (await port.readState(access, listing_id)) !== 'live') return found
    return { listing_id, url: listing_url ?? platformOf(platform).url }
  })
}

/** Nothing went up: what stands half made on the platform is cleared away. A nicety, and no reason to fail. */
async function discard(hold: Hold): Promise<void> {
  const left = { externalKey: keyOf(hold), made: hold.intent.listing_id }
  await hold
    .onPlatform(async (port, access) => port.discard?.(access, left))
    .catch((error: unknown) =>
      hold.services.log.warn({ err: error, intent: hold.intent.id }, 'what was left of a listing was not cleared away'),
    )
}

/**
 * What was chosen becomes the default before the listing is recorded, which answers who waits: what they ask next knows
 * it. A nicety, and no reason to fail.
 */
async function remember({ services, intent }: Hold): Promise<void> {
  if (!intent.to_remember) return
  await rememberChoices(services.db, intent, intent.to_remember).catch((error: unknown) =>
    services.log.warn({ err: error, intent: intent.id }, 'what was chosen for a listing was not remembered'),
  )
}

async function publish(
  hold: Hold,
  item: NonNullable<Awaited<ReturnType<typeof findPublishable>>>,
): Promise<PublishedListing> {
  const options = await choose(hold, item)
  const request = publishRequest(hold.intent, item, options)
  return hold.onPlatform((port, access) => port.publish(access, request, (name, made) => hold.step(name, made)))
}

/**
 * A listing that we hold for live is read: where the platform shows it, it is the answer. One that is not live is recorded
 * as ended, and false says to go on. One put up a moment ago may not show yet: it is read again later.
 */
async function answerWithLive(hold: Hold, live: LiveListing): Promise<boolean> {
  const { intent, services } = hold
  const listing = { ...intent, seller_account_uid: live.seller_account_uid, listing_id: live.listing_id }
  const isOtherShop = live.seller_account_uid !== intent.seller_account_uid
  const read = await hold
    .onPlatform((port, access) => port.readState(access, live.listing_id), listing)
    .catch((error: unknown) => {
      // Another shop of the seller's that lets nobody in: nothing says that its listing is down.
      if (isOtherShop && isLostShop(error)) return null
      throw error
    })
  const state = read ?? 'live'
  if (state === 'live') {
    await services.db.tx('already-listed', async (tx) => {
      await hold.accept(tx, live)
      await hold.finish(tx, { state: 'done', confirmed: read !== null })
    })
    return true
  }
  if (state === 'missing' && live.known_ms < settleMs) {
    await hold.putOff({ afterMs: rereadMs(live.known_ms) })
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
async function record(hold: Hold, published: PublishedListing, sku: string | null): Promise<boolean> {
  const { intent, services } = hold
  return services.db.tx('record-listing', async (tx) => {
    const item = await tx.oneOrNone<{ state: string }>(lockItemState, intent)
    const { is_cancelled } = await hold.accept(tx, published)
    if (!item) {
      await hold.finish(tx, { state: 'cancelled', error_code: 'not_found', error_message: 'The item was deleted.' })
      await tx.none(orderLostDown, { ...intent, ...published, priority: priorities.sale })
      return false
    }
    await tx.none(keepListing, {
      ...intent,
      listing_id: published.listing_id,
      url: published.url,
      sku: intent.external_key ?? sku,
    })
    await tx.none(touchItem, intent)
    const isWanted = !is_cancelled && item.state === 'available'
    if (isWanted) await tx.none(takeUpOffer, intent)
    else await orderDown(tx, intent)
    await tellListing(tx, 'listing.listed', { ...intent, listing_id: published.listing_id, listing_url: published.url })
    return isWanted
  })
}

/** What went up although nobody wants it any more. */
async function orderDown(
  tx: Queries,
  intent: Intent,
  reason = 'It was sold or taken back while it was being listed',
): Promise<void> {
  await insertDelistIntents(tx, {
    user_id: intent.user_id,
    item_uid: intent.item_uid,
    except: null,
    cause: 'compensation',
    cause_ref: intent.id,
    reason,
    platforms: [intent.platform],
  })
}

/** Reads the listing back until it shows (decisions 8: each result is proven). */
async function verifyListed(hold: Hold, made?: string): Promise<void> {
  const { intent, services } = hold
  const listing_id = made ?? intent.listing_id
  if (listing_id === null) throw new Error('an accepted listing has no id')
  await hold.pass('read-back')
  const state = await hold.onPlatform((port, access) => port.readState(access, listing_id))
  if (state === 'live' || state === 'sold') {
    await services.db.tx('listing-proven', (tx) => hold.finish(tx, { state: 'done', confirmed: true }))
    return
  }
  const since = intent.accepted_ms_ago ?? 0
  if (since < showWithinMs) return hold.putOff({ afterMs: rereadMs(since) })
  await services.db.tx('listing-not-live', async (tx) => {
    await tx.oneOrNone(lockItemState, intent)
    const error = {
      error_code: 'platform_failed',
      error_message: 'The platform took the listing and does not show it.',
    }
    await hold.finish(tx, { state: 'failed', ...error })
    await tellListing(tx, 'listing.failed', intent, error)
    // It may yet show: it is down when it was taken down and is proven to be, like any other.
    await orderDown(tx, intent, 'The platform took it and does not show it')
  })
}

/**
 * The listing is not wanted any more, and an earlier attempt may have made it: whatever is found is recorded and ordered
 * down. Where nothing is found it is looked for until nothing that was sent can still arrive.
 */
async function undo(hold: Hold): Promise<void> {
  const { intent, services } = hold
  const end = {
    state: intent.error_code ? 'failed' : 'cancelled',
    error_code: intent.error_code ?? 'not_available',
    error_message: intent.error_message ?? 'The item was no longer available.',
  } as const
  const finish = () =>
    services.db.tx('end-listing-intent', async (tx) => {
      await hold.finish(tx, end)
      await settleOverdue(tx, intent)
      const { state, ...error } = end
      if (state === 'failed') await tellListing(tx, 'listing.failed', intent, error)
    })
  if (intent.sent_ms_ago === null) return finish()

  await hold.pass('look-for-lost')
  const found = await findEarlier(hold)
  if (!found) {
    if (intent.sent_ms_ago > settleMs) {
      await discard(hold)
      return finish()
    }
    return hold.putOff({ afterMs: Math.max(rereadMs(intent.sent_ms_ago), 1_000) })
  }
  await services.db.tx('undo-listing', async (tx) => {
    const item = await tx.oneOrNone(lockItemState, intent)
    await hold.accept(tx, found)
    if (!item) {
      await hold.finish(tx, end)
      await tx.none(orderLostDown, { ...intent, ...found, priority: priorities.sale })
      return
    }
    await tx.none(keepListing, { ...intent, listing_id: found.listing_id, url: found.url, sku: intent.external_key })
    await tx.none(touchItem, intent)
    await hold.finish(tx, end)
    // Now it is known which listing it is: an alarm goes on only if that one does not come down.
    if (intent.listing_id === null) await settleOverdue(tx, intent)
    await orderDown(tx, intent)
  })
}

function findLiveListing({ services, intent }: Hold): Promise<LiveListing | null> {
  return services.db.oneOrNone<LiveListing>(findLive, intent)
}

function keyOf({ intent }: Hold): string {
  if (intent.external_key === null) throw new Error('a listing intent has no external key')
  return intent.external_key
}
