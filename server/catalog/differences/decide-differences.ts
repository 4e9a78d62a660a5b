import { isDeepStrictEqual } from 'node:util'
import { readChange } from '#server/catalog/changes/list-changes.ts'
import { requireOpenAccount } from '#server/http/lock-user.ts'
import { type Queries, sql } from '#server/infra/db/index.ts'
import { retriedTransaction } from '#server/infra/db/retried.ts'
import { problem } from '#server/infra/errors.ts'
import { recordSteps, type UndoStep } from '#server/selling/changes/record-step.ts'
import type { Services } from '#server/services.ts'
import type { DifferenceAction, decideDifferences as route } from '#shared/contract/differences.ts'
import type { Input, Reply } from '#shared/contract/route.ts'
import { newId } from '#shared/identity.ts'
import { type LockedDifference, lockDifferences, valueOfItem } from './locked-difference.ts'

const ignore = sql(import.meta.url, './sql/ignore-differences.sql')

type Answer = Reply<typeof route>['body']
type Left = Answer['left'][number]

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
  const change_uid = newId('chg')
  return retriedTransaction(db, 'decide-differences', async (tx) => {
    await requireOpenAccount(tx, user_id)
    const known = new Map((await lockDifferences(tx, user_id, uids)).map((each) => [each.uid, each]))
    const left: Left[] = []
    const chosen = uids.flatMap((uid) => {
      const difference = known.get(uid)
      const reason = difference ? whyLeft(difference, action) : 'not_found'
      if (!reason) return [difference!]
      left.push({ uid, reason })
      return []
    })
    if (chosen.length > 0) await apply(tx, { user_id, change_uid }, action, chosen)
    const change = chosen.length > 0 ? await readChange(tx, user_id, change_uid) : null
    return { change, done: chosen.length, left }
  })
}

function whyLeft(difference: LockedDifference, action: DifferenceAction): Left['reason'] | null {
  const { listing_state, theirs, state } = difference
  if (listing_state !== 'available' && listing_state !== 'reserved') return 'ended'
  // The item has taken the value meanwhile.
  if (isDeepStrictEqual(valueOfItem(difference), theirs)) return 'changed_since'
  return action === 'ignore' && state === 'ignored' ? 'already_decided' : null
}

interface ChangeRef {
  user_id: number
  change_uid: string
}

async function apply(
  tx: Queries,
  change: ChangeRef,
  action: DifferenceAction,
  chosen: readonly LockedDifference[],
): Promise<void> {
  if (action !== 'ignore') throw problem('conflict', 'This cannot be done yet.')
  await tx.none(ignore, { ...change, uids: chosen.map(({ uid }) => uid) })
  await recordSteps(
    tx,
    change.user_id,
    chosen.map((difference) => stepOf(change, 'ignore_difference', difference)),
  )
}

function stepOf(change: ChangeRef, kind: UndoStep['kind'], difference: LockedDifference): UndoStep {
  const { uid: subject_uid, item_uid, seller_account_uid, platform, title, theirs_hash } = difference
  return { ...change, kind, subject_uid, item_uid, seller_account_uid, platform, title, after: { theirs_hash } }
}
