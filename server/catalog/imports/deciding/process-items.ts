import { recordDifferences } from '#server/catalog/differences/record-differences.ts'
import { itemsExceeded } from '#server/http/quotas/index.ts'
import type { Queries, Transaction } from '#server/infra/db/index.ts'
import { recordRelisted } from '#server/selling/listings/reconcile/record-relisted.ts'
import type { Services } from '#server/services.ts'
import { newOrderedId } from '#shared/identity.ts'
import type { ClaimedJob, JobRef } from '../jobs/claim-job.ts'
import type { KnownItem } from '../matching/look-alike.ts'
import type { Matcher } from '../matching/matcher.ts'
import * as importsSql from '../queries.ts'
import { withReportedSales } from './current-state.ts'
import { type BatchContext, type Decided, decideListings, type ItemQuota } from './decide-listings.ts'
import { emitItemsCreated } from './emit-items-created.ts'
import { moveListings } from './move-listings.ts'
import * as sql from './queries.ts'
import { readContext, readFacts } from './read-facts.ts'
import type { UndecidedItem } from './undecided-items.ts'
import { type WriteOptions, writeDecisions } from './write-decisions.ts'

/** After this many worker crashes without progress, process items singly to isolate the poison item. */
export const isolateAfterCrashes = 3

export type JobOfItems = Pick<ClaimedJob, 'user_id' | 'uid' | 'seller_account_uid' | 'platform'>

/** Returns what deciding a job's items needs to know about the job; null if there is no such job. */
export function findJobOfItems(
  queries: Queries,
  ref: JobRef,
): Promise<(JobOfItems & { taken_in_until: string | null; is_discovering: boolean }) | null> {
  return queries.oneOrNone(importsSql.jobOfItems(ref))
}

interface DecideOptions {
  matcher: Matcher
  /** Read already. Default: read now. */
  context?: BatchContext
  /** SKUs that earlier batches would take, if nothing is written. */
  taken?: Map<string, KnownItem>
}

/**
 * Decides items in memory and writes the outcomes, in the caller's transaction, which holds the job and the inventory
 * lock. Nothing read here can change before it is written.
 */
export async function processItems(
  services: Services,
  tx: Transaction,
  job: JobOfItems,
  items: readonly UndecidedItem[],
  options: DecideOptions & WriteOptions,
): Promise<void> {
  if (items.length === 0) return
  await moveListings(
    tx,
    job,
    items.map(({ found }) => found.listing_id),
  )
  const decided = await decideItems(services, tx, job, await withReportedSales(tx, job, items), options)
  await writeDecisions(tx, job, decided, options)
  countNewItems(services, job, decided)
  await recordRelistedListings(tx, job, decided)
  await recordDifferences(services, tx, job, decided.filter(isComparable))
  await emitItemsCreated(tx, job, decided)
}

/** Decides items by what the inventory has, without writing anything. */
export async function decideItems(
  services: Services,
  queries: Queries,
  job: JobOfItems,
  items: readonly UndecidedItem[],
  { matcher, context, taken }: DecideOptions,
): Promise<Decided[]> {
  const found = items.map((item) => item.found)
  const facts = await readFacts(queries, job, found)
  const unknown = found.filter(({ listing_id }) => !facts.listings.has(listing_id))
  const lookAlikes = await matcher.find(queries, unknown, services.readPhoto !== undefined)
  return decideListings(
    items.map((item) => ({ ...item, item_uid: newOrderedId('inv') })),
    { ...facts, lookAlikes },
    context ?? (await readContext(services, queries, job)),
    (error, { uid }) =>
      services.log.error({ err: error, job_uid: job.uid, import_item: uid }, 'an import item could not be decided'),
    taken,
    await itemQuota(services, job),
  )
}

/** Returns whether an item and its listing can be compared. A sold item is a conflict of its own. */
function isComparable({ decision }: Decided): boolean {
  return (
    decision.status === 'skipped' || (decision.status === 'conflict' && decision.conflict_type === 'price_mismatch')
  )
}

/** Records listings that their seller relisted on the platform as live. */
async function recordRelistedListings(tx: Transaction, job: JobOfItems, decided: readonly Decided[]): Promise<void> {
  const ids = decided.filter(({ isRelisted }) => isRelisted).map(({ found }) => found.listing_id)
  if (ids.length > 0) await recordRelisted(tx, { ...job, job_uid: job.uid }, ids)
}

/** Counts items created by this process at once, and those of others a minute later. */
async function itemQuota({ quotas, config }: Services, { user_id }: JobOfItems): Promise<ItemQuota> {
  const { items, itemBytes } = await quotas.remainingOf(user_id)
  return { left: itemBytes > 0 ? items : 0, message: itemsExceeded(config) }
}

function countNewItems({ quotas }: Services, { user_id }: JobOfItems, decided: readonly Decided[]): void {
  quotas.add(user_id, { items: decided.filter(({ decision }) => decision.status === 'imported').length })
}

/** Counts decided items. Any decision is progress. */
export async function recordProgress(tx: Queries, job: JobOfItems, decided: number): Promise<void> {
  await tx.none(sql.recordDecided({ ...job, decided, careful_after: isolateAfterCrashes }))
}
