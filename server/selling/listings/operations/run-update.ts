import type { Queries } from '#server/infra/db/index.ts'
import { transaction } from '#server/infra/db/transaction.ts'
import { PlatformError } from '#server/integrations/errors.ts'
import type { KnownListing, ListingContent } from '#server/integrations/port.ts'
import { withPriority } from '#server/integrations/quota/index.ts'
import type { ReadBack, SentListing } from '#server/integrations/read-back.ts'
import { newId } from '#shared/identity.ts'
import { describeForListing } from '#shared/item/describe-item.ts'
import { systemOfCountry } from '#shared/item/units.ts'
import type { ListingOperation } from '../operation.ts'
import * as listingsSql from '../queries.ts'
import type { LeasedOperation } from './leased-operation.ts'
import { emitListingEvent, settleRefusedUpdate } from './listing-events.ts'
import * as sql from './queries.ts'
import { passOn } from './read-back.ts'

/** Time after a change in which a platform may still show the former value. */
const lateReadsMs = 5_000
const mostReads = 6

/**
 * Changes a live listing: its price, then the named content as the item has it now. Repeating it is harmless, so a lost
 * attempt simply runs again. An update that is outdated, or whose listing was never published, ends silently. So does
 * one of an item that is sold or withdrawn.
 */
export async function runUpdate(leased: LeasedOperation): Promise<void> {
  const { operation, services } = leased
  const content = operation.is_cancelled ? null : await findItemContent(leased)
  const listing = content && (await findListing(leased))
  if (!content || !listing) {
    await leased.finish(services.db, { state: 'cancelled' })
    return
  }
  if (!operation.is_accepted) await send(leased, listing, content)
  const read = await readChanged(leased, listing.listing_id, sentBy(operation, content))
  const afterMs = read && read.changes.length > 0 ? rereadAfterMs(operation) : null
  if (afterMs !== null) {
    await leased.accept(services.db)
    return leased.postpone({ afterMs })
  }
  await transaction(services.db, 'finish-update', async (tx) => {
    await leased.accept(tx)
    await leased.finish(tx, { state: 'done', confirmed: true })
    await settleDifferences(tx, operation, listing.listing_id)
    await settleRefusedUpdate(tx, { ...operation, listing_id: listing.listing_id })
    await passOn(leased, tx, listing.listing_id, read)
    await emitListingEvent(tx, 'listing.updated', { ...operation, listing_id: listing.listing_id })
  })
}

async function send(leased: LeasedOperation, listing: KnownListing, content: ListingContent): Promise<void> {
  const { operation } = leased
  const fields = operation.fields ?? []
  let isOnHold = operation.terms?.on_hold ?? false
  try {
    if (operation.price_minor !== null) await changePrice(leased, listing)
    if (fields.length > 0) {
      await leased.beforeSend('update-content')
      const { price_minor, currency } = operation
      const price = price_minor === null || currency === null ? null : { price_minor, currency }
      await leased.onPlatform((port, access) => port.updateContent(access, listing, { ...content, fields, price }))
    }
    isOnHold = false
  } catch (error) {
    isOnHold ||= error instanceof PlatformError && error.platformCode === 'listing_on_hold'
    throw error
  } finally {
    await recordHold(leased, listing.listing_id, isOnHold)
  }
}

/** Returns what an update sent, except what is the platform's own former value. */
function sentBy(
  { fields, content: former, price_minor, currency }: ListingOperation,
  content: ListingContent,
): SentListing {
  const price = price_minor === null || currency === null ? null : { price_minor, currency }
  const own = (fields ?? []).filter((field) => former?.[field] === undefined)
  return { content, fields: own, price, request: null }
}

/**
 * Reads a changed listing with one call more, as long as the day's calls allow. The change is made, so a failure of the
 * reading is only logged.
 */
async function readChanged(
  { services, operation, onPlatform }: LeasedOperation,
  listing_id: string,
  sent: SentListing,
): Promise<ReadBack | null> {
  try {
    return await onPlatform((port, access) =>
      withPriority('details', async () => port.readBack?.(access, listing_id, sent) ?? null),
    )
  } catch (error) {
    if (!(error instanceof PlatformError)) throw error
    services.log.warn({ err: error, operation: operation.id }, 'a changed listing could not be read back')
    return null
  }
}

/** Returns when a listing that shows something else is read again, because reads may be behind; null for no more. */
function rereadAfterMs({ accepted_ms_ago, attempts }: ListingOperation): number | null {
  const sinceMs = accepted_ms_ago ?? 0
  return sinceMs < lateReadsMs && attempts < mostReads ? Math.max(1_000, sinceMs * 1.5) : null
}

/** Ends the differences of what was sent, except where it is the platform's own former value. */
async function settleDifferences(
  tx: Queries,
  { user_id, seller_account_uid, fields, price_minor, content }: ListingOperation,
  listing_id: string,
): Promise<void> {
  const sent = (fields ?? []).filter((field) => content?.[field] === undefined)
  const names = sent.map((field) => (field === 'images' ? 'photos' : field))
  await tx.none(
    sql.settleDifferences({
      ...{ user_id, seller_account_uid, listing_id },
      fields: price_minor === null ? names : [...names, 'price'],
      uids: { description: newId('dif'), photos: newId('dif') },
    }),
  )
}

/** Records that a listing is on hold, or no longer, which its item shows. */
async function recordHold({ services, operation }: LeasedOperation, listing_id: string, is_on_hold: boolean) {
  if (is_on_hold === (operation.terms?.on_hold ?? false)) return
  await services.db.none(sql.storeHold({ ...operation, listing_id, is_on_hold }))
  await services.db.none(listingsSql.touchItem(operation))
}

async function changePrice(leased: LeasedOperation, listing: KnownListing): Promise<void> {
  const { operation, services } = leased
  const { price_minor, currency } = operation
  if (price_minor === null || currency === null) throw new Error('an update lacks its price')
  await leased.beforeSend('change-price')
  await leased.onPlatform((port, access) => port.changePrice(access, { ...listing, price_minor, currency }))
  // A worker that lost the lease must not store its price over a newer one.
  await leased.renewLease()
  // Stored at once, because the platform may still refuse the content.
  await services.db.none(sql.storePrice({ ...operation, listing_id: listing.listing_id }))
}

async function findItemContent({ operation, services }: LeasedOperation): Promise<ListingContent | null> {
  const item = await services.db.oneOrNone(sql.findListingContent(operation))
  if (!item || item.state === 'sold' || item.state === 'withdrawn') return null
  const { title, images } = item
  const { description } = describeForListing(item, item.units ?? systemOfCountry(item.country))
  const kept = { title, description, images, ...operation.content }
  return { ...kept, condition: { label: item.condition_label, notes: item.condition_notes } }
}

async function findListing({ operation, services }: LeasedOperation): Promise<KnownListing | null> {
  const { listing_id, external_key, terms } = operation
  if (listing_id !== null) return { listing_id, externalKey: external_key, terms }
  const own = await services.db.oneOrNone(sql.findListingToUpdate(operation))
  return own && { listing_id: own.listing_id, externalKey: own.external_key }
}
