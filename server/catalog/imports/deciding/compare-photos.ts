import { sendCheck } from '#server/catalog/checks/run-check.ts'
import { shareOpenAccount } from '#server/http/lock-user.ts'
import { transaction } from '#server/infra/db/transaction.ts'
import type { Services } from '#server/services.ts'
import type { ConflictType } from '#shared/contract/catalog/imports.ts'
import { importContention } from '../contention.ts'
import { createMatcher } from '../matching/matcher.ts'
import type { Decided } from './decide-listings.ts'
import { lockInventory } from './move-listings.ts'
import { decideItems, findJobOfItems, type JobOfItems } from './process-items.ts'
import * as sql from './queries.ts'
import type { UndecidedItem } from './undecided-items.ts'
import { writeDecisions } from './write-decisions.ts'

/** Accounts whose photos are compared at once, and conflicts of an account in one turn. */
const limits = { accounts: 4, conflicts: 25 }
/** Milliseconds that an account's turn may read photos. */
const turnMs = 30_000
/** Milliseconds after which a step begins no more turns. */
const stepMs = 60_000
/** Turns of a conflict in which no photo could be read until the rest counts as unreadable: after a quarter of an hour. */
const maxTries = 3

interface DueConflict extends UndecidedItem {
  job_uid: string
  photo_tries: number
}

interface LockedConflict extends UndecidedItem {
  conflict_type: ConflictType | null
}

/**
 * Compares the photos of open conflicts that their imports did not compare in time, and decides these anew as an import
 * would. Accounts take turns, so that slow picture hosts of some keep no other waiting. Returns the number of turns, 0
 * if nothing is due.
 */
export async function comparePhotos(services: Services, signal?: AbortSignal): Promise<number> {
  // The remaining disk space is for sales and delisting.
  if (!services.readPhoto || services.disk?.isLow()) return 0
  const running = new Map<number, Promise<void>>()
  const errors: unknown[] = []
  const untilMs = performance.now() + stepMs
  let turns = 0
  for (;;) {
    const mayBegin = errors.length === 0 && !signal?.aborted && performance.now() < untilMs
    const accounts = mayBegin ? limits.accounts - running.size : 0
    const due =
      accounts > 0 ? await services.db.any(sql.listDueComparisons({ busy: [...running.keys()], accounts })) : []
    for (const { user_id } of due) {
      const turn = compareNext(services, user_id, signal)
        .catch((error: unknown) => void errors.push(error))
        .finally(() => running.delete(user_id))
      running.set(user_id, turn)
    }
    turns += due.length
    if (running.size === 0) break
    await Promise.race(running.values())
  }
  if (errors.length > 0) throw errors[0]
  return turns
}

/** Compares an account's next conflicts. Each is due again after a while, unless it is compared by then. */
async function compareNext(services: Services, user_id: number, signal?: AbortSignal): Promise<void> {
  const due: DueConflict[] = await services.db.any(sql.claimComparisons({ user_id, limit: limits.conflicts }))
  const together = Map.groupBy(due, ({ job_uid, photo_tries }) => `${job_uid} ${photo_tries > maxTries}`)
  for (const items of together.values()) {
    const [{ job_uid, photo_tries }] = items as [DueConflict]
    const job = await findJobOfItems(services.db, { user_id, job_uid })
    if (job) await compareOf(services, job, items, { givesUp: photo_tries > maxTries, ...(signal && { signal }) })
  }
}

async function compareOf(
  services: Services,
  job: JobOfItems,
  items: readonly DueConflict[],
  options: { givesUp: boolean; signal?: AbortSignal },
): Promise<void> {
  const matcher = createMatcher(job)
  const found = items.map((item) => item.found)
  const read = await matcher.prepare(services, found, { ...options, budgetMs: turnMs, isPatient: true })
  const uids = items.map(({ uid }) => uid)
  await transaction(
    services.db,
    'compare-photos',
    async (tx) => {
      await shareOpenAccount(tx, job.user_id)
      await lockInventory(tx, job.user_id)
      const locked: LockedConflict[] = await tx.any(sql.lockComparisons({ ...ofJob(job), uids }))
      const types = new Map(locked.map(({ uid, conflict_type }) => [uid, conflict_type]))
      const decided = await decideItems(services, tx, job, locked, { matcher })
      const isLeft = ({ decision }: Decided) => decision.status === 'conflict' && decision.match?.photos === 'comparing'
      const ready = decided.filter((each) => !isLeft(each))
      const kept = ready.filter((each) => isSameQuestion(each, types.get(each.uid)))
      await writeDecisions(tx, job, kept)
      if (kept.length > 0) await sendCheck(services, tx, job.user_id)
      // The seller was asked, so a listing that would now be decided otherwise stays a question.
      const others = ready.filter((each) => !kept.includes(each))
      await tx.none(sql.endComparisons({ ...ofJob(job), uids: others.map(({ uid }) => uid) }))
      // A turn that read something was no failure, and the next one may follow at once.
      if (read > 0)
        await tx.none(sql.continueComparisons({ ...ofJob(job), uids: decided.filter(isLeft).map(({ uid }) => uid) }))
    },
    importContention,
  )
}

/** Returns whether a decision asks the same as before, or repeats the seller's answer to an earlier import. */
function isSameQuestion({ decision }: Decided, asked: ConflictType | null | undefined): boolean {
  if (decision.status === 'skipped') return decision.kept !== undefined
  return decision.status === 'conflict' && decision.conflict_type === asked
}

const ofJob = ({ user_id, uid }: JobOfItems) => ({ user_id, job_uid: uid })
