import { isDeepStrictEqual } from 'node:util'
import { readChange } from '#server/catalog/changes/list-changes.ts'
import { requireOpenAccount } from '#server/http/lock-user.ts'
import type { Queries, Transaction } from '#server/infra/db/index.ts'
import { transaction } from '#server/infra/db/transaction.ts'
import { recordSteps } from '#server/selling/changes/record-step.ts'
import { queueListingUpdates } from '#server/selling/listings/operations/queue-listing-update.ts'
import type { Services } from '#server/services.ts'
import type { ChangeKind } from '#shared/contract/catalog/changes.ts'
import type { DifferenceAction, decideDifferences as route } from '#shared/contract/catalog/differences.ts'
import type { Input, Reply } from '#shared/contract/declaring/route.ts'
import { newId } from '#shared/identity.ts'
import { adoptableFields } from '#shared/item/adoptable-fields.ts'
import { type PlatformSlug, platformOf } from '#shared/platforms.ts'
import type { Money } from '#shared/price-change.ts'
import { adoptValues } from './adopt-values.ts'
import { listingFieldOf, whyNotOverwritten } from './can-overwrite.ts'
import { type LockedDifference, lockDifferences, valueOfItem } from './locked-difference.ts'
import * as sql from './queries.ts'
import type { DecidedDifference } from './undo-decision.ts'

type Answer = Reply<typeof route>['body']
type Left = Answer['left'][number]

const kinds = {
  adopt: 'adopt',
  overwrite: 'overwrite_listing',
  ignore: 'ignore_difference',
} as const satisfies Record<DifferenceAction, ChangeKind>

/**
 * Decides about differences of a user as one change, which can be undone. Returns those that were left, each with its
 * reason.
 */
export async function decideDifferences(
  { db }: Pick<Services, 'db'>,
  user_id: number,
  { action, differences }: Input<typeof route>['body'],
): Promise<Answer> {
  const uids = [...new Set(differences)]
  const change = { user_id, change_uid: newId('chg') }
  return transaction(db, 'decide-differences', async (tx) => {
    await requireOpenAccount(tx, user_id)
    const known = new Map((await lockDifferences(tx, user_id, uids)).map((each) => [each.uid, each]))
    const left: Left[] = []
    const taken = new Set<string>()
    const chosen = uids.flatMap((uid) => {
      const difference = known.get(uid)
      const reason = difference ? whyLeft(difference, action, taken) : 'not_found'
      if (!reason) return [difference!]
      left.push({ uid, reason })
      return []
    })
    if (chosen.length === 0) return { change: null, done: 0, left }
    await recordSteps(
      tx,
      user_id,
      chosen.map((difference) => ({ ...change, kind: kinds[action], ...stepOf(difference) })),
    )
    // Events are written last.
    await apply(tx, change, action, chosen)
    return { change: await readChange(tx, user_id, change.change_uid), done: chosen.length, left }
  })
}

/** `taken`: the fields of items that an earlier difference of the request has changed. */
function whyLeft(difference: LockedDifference, action: DifferenceAction, taken: Set<string>): Left['reason'] | null {
  const { listing_state, theirs, state, field, item_uid, item_state } = difference
  if (listing_state !== 'available' && listing_state !== 'reserved') return 'ended'
  // The item has taken the value meanwhile.
  if (isDeepStrictEqual(valueOfItem(difference), theirs)) return 'changed_since'
  if (action === 'ignore') return state === 'ignored' ? 'already_decided' : null
  if (action === 'overwrite') {
    return whyNotOverwritten({ ...difference, theirs_price: field === 'price' ? (theirs as Money) : null })
  }
  if (item_state === 'sold') return 'not_available'
  if (!adoptableFields.has(field)) return 'not_supported'
  const key = `${item_uid} ${field}`
  if (taken.has(key)) return 'changed_since'
  taken.add(key)
  return null
}

async function apply(
  tx: Transaction,
  change: { user_id: number; change_uid: string },
  action: DifferenceAction,
  chosen: readonly LockedDifference[],
): Promise<void> {
  const of = { user_id: change.user_id, uids: chosen.map(({ uid }) => uid) }
  await tx.none(sql.acceptPrices({ ...of, is_accepted: action !== 'overwrite' }))
  if (action === 'ignore') await tx.none(sql.ignoreDifferences(of))
  else if (action === 'overwrite') await overwrite(tx, change.user_id, chosen)
  else {
    await tx.none(sql.deleteDifferences(of))
    await adopt(tx, change, chosen)
  }
}

function adopt(
  tx: Transaction,
  change: { user_id: number; change_uid: string },
  chosen: readonly LockedDifference[],
): Promise<void> {
  const values = chosen.map((difference) => {
    const { item_uid, field, theirs, platform } = difference
    return { item_uid, field, from: shownValueOf(difference), to: theirs, platform }
  })
  return adoptValues(tx, change, values, (own) => {
    const names = new Set(own.map(({ platform }) => platformOf(platform).name))
    return `Adopted from ${[...names].join(' and ')}: ${own.map(({ field }) => field).join(', ')}`
  })
}

/** Returns the item's value of the field, with copied photos at their own addresses. */
const shownValueOf = (difference: LockedDifference) =>
  difference.field === 'photos' ? difference.images : valueOfItem(difference)

/** Queues one update for each item and platform, which sends all its fields. */
async function overwrite(tx: Queries, user_id: number, chosen: readonly LockedDifference[]): Promise<void> {
  const updates = Map.groupBy(chosen, ({ item_uid, platform }) => `${item_uid} ${platform}`)
  const orders = [...updates.values()].map((own) => ({
    item_uid: own[0]!.item_uid,
    platforms: [own[0]!.platform],
    fields: [...new Set(own.map(({ field }) => listingFieldOf(field)))],
  }))
  await queueListingUpdates(tx, user_id, orders)
}

function stepOf(difference: LockedDifference) {
  const { uid: subject_uid, item_uid, seller_account_uid, title, field, listing_id, theirs, theirs_hash } = difference
  const platform: PlatformSlug = difference.platform
  const before: DecidedDifference = { field, listing_id, theirs, theirs_hash, mine: shownValueOf(difference) }
  return { subject_uid, item_uid, seller_account_uid, platform, title, before }
}
