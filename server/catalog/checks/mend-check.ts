import { resolveItem } from '#server/catalog/imports/resolve/index.ts'
import { transaction } from '#server/infra/db/transaction.ts'
import { invalidField, notFound, problem } from '#server/infra/errors.ts'
import { lockItemState } from '#server/selling/listings/operations/listing-rows.ts'
import { queueDelisting } from '#server/selling/listings/operations/queue-delisting.ts'
import { queueListingUpdates } from '#server/selling/listings/operations/queue-listing-update.ts'
import { saleContention } from '#server/selling/sales/contention.ts'
import { placeName, saleOfListing } from '#server/selling/sales/observed-sale.ts'
import { recordSale } from '#server/selling/sales/record-sale.ts'
import type { Services } from '#server/services.ts'
import type { mendCheck as route } from '#shared/contract/catalog/checks.ts'
import type { Reply } from '#shared/contract/declaring/route.ts'
import { type ListingField, platformOf } from '#shared/platforms.ts'
import { type FaultListing, factsOf, isForSale } from './classify-item.ts'
import type { FoundFault } from './find-faults.ts'
import { findCheck } from './list-checks.ts'
import * as sql from './queries.ts'
import { sendCheck } from './run-check.ts'

interface CheckRef {
  user_id: number
  uid: string
}

type Mended = Reply<typeof route>['body']

/**
 * Does what mends a finding, through the actions that exist: ends listings, records a sale, sends prices, links
 * a listing that an import asks about. Repeating it changes nothing. Throws 404, 400 for a listing to keep that is none
 * of the finding's, and the problems of those actions.
 */
export async function mendCheck(services: Services, ref: CheckRef, keep: string | null): Promise<Mended> {
  const found = await findCheck(services.db, ref.user_id, ref.uid)
  if (!found) return forget(services, ref)
  const { check, fault } = found
  if (keep !== null && fault?.kind !== 'listed_twice') {
    throw invalidField('keep_listing_id', 'not_applicable', 'belongs to listed_twice only')
  }
  if (!fault) return { status: 'manual', manual: check.manual }
  const { user_id } = ref
  if (keep !== null && !fault.listings.some(({ listing_id }) => listing_id === keep)) {
    throw invalidField('keep_listing_id', 'unknown', 'is none of the listings of this finding')
  }
  const isBegun = await mend(services, user_id, fault, keep)
  await sendCheck(services, services.db, user_id)
  return { status: isBegun ? 'started' : 'manual', manual: check.manual }
}

/** Forgets a finding that is mended by now. Throws 404 for one that there never was. */
async function forget({ db }: Services, { user_id, uid }: CheckRef): Promise<Mended> {
  const [known] = await db.any(sql.listFaults({ user_id, uid }))
  if (!known) throw notFound()
  // A finding that the seller accepted stays known.
  if (known.dismissed_facts === null) await db.none(sql.deleteFaults({ user_id, uids: [uid] }))
  return { status: 'gone', manual: [] }
}

/** Returns whether Hapax has begun to do something; else it is the seller's. */
async function mend(services: Services, user_id: number, fault: FoundFault, keep: string | null): Promise<boolean> {
  if (fault.conflict) await link(services, user_id, fault)
  switch (fault.action) {
    case 'take_down':
      return takeDown(services, user_id, fault)
    case 'record_sale':
      return recordListingSale(services, user_id, fault)
    case 'keep_one':
      return keepOne(services, user_id, fault, keep)
    case 'set_price':
      return sendPrice(services, user_id, fault)
    case 'open':
      return false
  }
}

/** Links the listing that an import asks about to the item, so that it can be ended as the item's. */
async function link(services: Services, user_id: number, { conflict, item }: FoundFault): Promise<void> {
  const answer = { resolution: 'link_existing', inventory_item_uid: item.uid } as const
  await resolveItem(services, { user_id, ...conflict! }, answer)
}

/** Ends the listings of an item that a buyer has. The one that the buyer holds stays. */
function takeDown({ db }: Services, user_id: number, fault: FoundFault): Promise<boolean> {
  const { item, listings, sold_on } = fault
  const those = listings.filter(({ to_mend }) => to_mend)
  const held = item.listings.find(
    (one) =>
      one.state === 'reserved' || (one.platform === item.holder?.platform && one.listing_id === item.holder.listing_id),
  )
  const except = those.some(({ listing_id }) => listing_id === held?.listing_id) ? null : (held ?? null)
  return transaction(
    db,
    'mend-sold-live',
    async (tx) => {
      const ref = { user_id, item_uid: item.uid }
      await lockItemState(tx, ref)
      const queued = await queueDelisting(tx, {
        ...ref,
        except,
        platforms: platformsOf(those),
        cause: 'reconcile',
        reason: sold_on === null ? 'The item is sold' : `Sold ${placeName(sold_on)}`,
      })
      return queued.operations.length + queued.cancelled.length > 0
    },
    saleContention,
  )
}

/** Records the sale that a listing shows, which ends the others. */
async function recordListingSale(services: Services, user_id: number, { listings }: FoundFault): Promise<boolean> {
  const sold = listings.find(({ state }) => state === 'sold')!
  const by = platformOf(sold.platform).capabilities.orders ? 'import' : 'extension'
  const observed_at = services.now().toISOString()
  await recordSale(services.db, user_id, saleOfListing({ ...sold, observed_at, by }))
  return listings.some((one) => isForSale(one) && platformOf(one.platform).capabilities.list === 'api')
}

/** Ends all listings of an item on a platform but one. */
async function keepOne(services: Services, user_id: number, fault: FoundFault, keep: string | null): Promise<boolean> {
  const { listings, item } = fault
  const kept = listings.find(({ listing_id, to_mend }) => (keep === null ? !to_mend : listing_id === keep))!
  const platform = kept.platform
  // Two items may share the platform; a listing that was just linked is the item's.
  const owners = new Set(listings.map(({ item_uid }) => item_uid ?? item.uid))
  let isBegun = false
  for (const item_uid of owners) {
    isBegun =
      (await transaction(services.db, 'mend-listed-twice', async (tx) => {
        const ref = { user_id, item_uid }
        await lockItemState(tx, ref)
        const queued = await queueDelisting(tx, {
          ...ref,
          except: { platform, listing_id: kept.listing_id },
          platforms: [platform],
          cause: 'user',
          reason: `It is listed twice on ${platformOf(platform).name}`,
        })
        return queued.operations.length > 0
      })) || isBegun
  }
  return isBegun
}

/** Sends the price by the rule to the listings below it, where an API can. */
async function sendPrice({ db }: Services, user_id: number, { item, listings }: FoundFault): Promise<boolean> {
  const editable = ({ platform }: FaultListing): readonly ListingField[] => platformOf(platform).capabilities.edit
  const platforms = platformsOf(listings.filter((one) => one.to_mend && editable(one).includes('price')))
  if (platforms.length === 0) return false
  const order = { item_uid: item.uid, platforms, fields: ['price'] as const }
  const sent = await transaction(db, 'mend-listings', (tx) => queueListingUpdates(tx, user_id, [order]))
  return sent.length > 0
}

/** Accepts a finding as it is, until its facts change. Throws 404, and 409 for one that cannot be accepted. */
export async function dismissCheck({ db }: Services, { user_id, uid }: CheckRef): Promise<void> {
  const found = await findCheck(db, user_id, uid)
  if (!found) {
    const [known] = await db.any(sql.listFaults({ user_id, uid }))
    if (!known) throw notFound()
    return
  }
  if (!found.fault?.can_dismiss) throw problem('conflict', 'This cannot be left as it is.')
  await db.none(sql.dismissFault({ user_id, uid, facts: factsOf(found.fault) }))
}

const platformsOf = (listings: readonly FaultListing[]) => [...new Set(listings.map(({ platform }) => platform))]
