import type { Queries, Transaction } from '#server/infra/db/index.ts'
import { problem } from '#server/infra/errors.ts'
import { findChange, recordStep, type UndoStep } from '#server/selling/changes/record-step.ts'
import type { Services } from '#server/services.ts'
import type { ListingOptions } from '#shared/contract/selling/listings.ts'
import { type ExtensionSlug, type PlatformSlug, platformOf, platforms } from '#shared/platforms.ts'
import { openListTask } from './open-list-task.ts'
import { type QueuedDelisting, queueDelisting } from './operations/queue-delisting.ts'
import { queueListing } from './operations/queue-listing.ts'
import { findItem, requireSeller, requireShop } from './preflight/prerequisites.ts'
import * as sql from './queries.ts'

const imported = (platform: PlatformSlug) =>
  `Hapax did not publish the listing on ${platformOf(platform).name} and does not know its category. List the item again from its page.`

interface EndedListing {
  seller_account_uid: string
  title: string
  price_minor: number
  currency: string
  /** Null for a listing that Hapax did not publish, whose category it does not know. */
  options: ListingOptions | null
}

interface TakeDown {
  user_id: number
  item_uid: string
  platform: PlatformSlug
  change_uid: string
  cause: 'user' | 'bulk'
  cause_ref: string | null
}

/**
 * Takes an item down from a platform because its seller asks, in the caller's transaction, as a change that can be
 * undone. `isChange`: a live listing ends that was not ending before.
 */
export async function takeDown(tx: Transaction, given: TakeDown): Promise<QueuedDelisting & { isChange: boolean }> {
  await tx.oneOrNone(sql.lockItemState(given))
  const ended = await tx.oneOrNone(sql.findListingToEnd(given))
  const queued = await queueDelisting(tx, {
    ...given,
    except: null,
    reason: 'You asked to take it down',
    platforms: [given.platform],
  })
  if (!ended) return { ...queued, isChange: false }
  const { seller_account_uid, title, ...before } = ended
  await recordStep(tx, {
    ...{ ...given, subject_uid: subjectOf(given), kind: 'take_down', seller_account_uid, title, before },
  })
  return { ...queued, isChange: true }
}

/**
 * Records what the withdrawal of an item ends, in the caller's transaction and before it is ended, as a change that can be
 * undone. The subject of the item sorts after those of its listings, so that it goes back first.
 */
export async function recordWithdrawal(
  tx: Queries,
  { title, ...given }: { user_id: number; item_uid: string; change_uid: string; title: string },
): Promise<void> {
  await recordStep(tx, { ...given, subject_uid: `${given.item_uid} withdrawn`, kind: 'withdraw', title })
  for (const { slug: platform } of platforms) {
    const ended = await tx.oneOrNone(sql.findListingToEnd({ ...given, platform }))
    if (!ended) continue
    const { seller_account_uid, title: _, ...before } = ended
    const listing = { ...given, platform, seller_account_uid, title, before }
    await recordStep(tx, { ...listing, subject_uid: subjectOf(listing), kind: 'withdraw' })
  }
}

const subjectOf = (listing: { item_uid: string; platform: PlatformSlug }) => `${listing.item_uid} ${listing.platform}`

type TakeDownStep = UndoStep & { item_uid: string; platform: PlatformSlug; seller_account_uid: string }

/**
 * Undoes a take-down, in the caller's transaction. A listing that no worker has begun to end stays up. Any other is listed
 * again as it was, by a task where only the seller can. Throws 409 `changed_since` for an item that is not available any
 * more, was taken down once more, or is listed again already. Throws 409 `conflict` for a listing that was
 * imported, and the problems of listing.
 */
export async function undoTakeDown(services: Services, tx: Transaction, given: UndoStep): Promise<void> {
  const step = given as TakeDownStep
  const { user_id, item_uid, platform, seller_account_uid } = step
  const { price_minor, currency, options } = step.before as Omit<EndedListing, 'title' | 'seller_account_uid'>
  const { state } = (await tx.oneOrNone(sql.lockItemState(step))) ?? {}
  if (state !== 'available' || (await findChange(tx, step)) !== step.change_uid) throw problem('changed_since')
  const cancelled = await tx.any(sql.cancelUnsentDelists(step))
  if (await tx.oneOrNone(sql.findCurrentListing(step))) {
    if (cancelled.length === 0) throw problem('changed_since')
    return
  }
  const item = await findItem(tx, user_id, item_uid)
  if (item?.currency !== currency) throw problem('changed_since')
  await requireSeller(services, user_id)
  const again = { user_id, item, price_minor, cause: 'user', cause_ref: step.change_uid } as const
  if (platformOf(platform).capabilities.list !== 'api') {
    await openListTask(tx, { ...again, platform: platform as ExtensionSlug })
    return
  }
  // A suggested category must not be published unseen.
  if (!options) throw problem('conflict', imported(platform))
  const shop = await requireShop(services, user_id, platform, seller_account_uid)
  await queueListing(tx, { ...again, platform, seller_account_uid: shop.uid, options })
}
