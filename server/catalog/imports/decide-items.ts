import { itemsExceeded } from '#server/http/quotas/index.ts'
import { type Queries, sql } from '#server/infra/db/index.ts'
import { recordRelisted } from '#server/selling/listings/record-relisted.ts'
import type { Services } from '#server/services.ts'
import { newOrderedId } from '#shared/identity.ts'
import type { Listing, ListingFailure } from '#shared/listing.ts'
import type { ClaimedJob, JobRef } from './claim-job.ts'
import type { KnownItem } from './decide.ts'
import { type BatchContext, type Candidate, type Decided, decideBatch, type ItemQuota } from './decide-batch.ts'
import type { Matcher } from './matching/matcher.ts'
import { moveListings } from './move-listings.ts'
import { readContext, readFacts } from './read-facts.ts'
import { withReported } from './state-now.ts'
import { storeDecisions, type WriteOptions, writeDecisions } from './write-decisions.ts'

const noteDecided = sql(import.meta.url, './sql/record-decided.sql')
const jobOfItems = sql(import.meta.url, './sql/job-of-items.sql')
const readPending = sql(import.meta.url, './sql/read-pending.sql')

/** After so many crashes without progress items are taken one by one, so that the one that breaks workers is found. */
export const carefulAfter = 3

export type JobOfItems = Pick<ClaimedJob, 'user_id' | 'uid' | 'seller_account_uid' | 'platform'>

/** Returns what deciding a job's items needs to know about the job; null if there is no such job. */
export function findJobOfItems(
  queries: Queries,
  ref: JobRef,
): Promise<(JobOfItems & { taken_in_until: string | null; is_discovering: boolean }) | null> {
  return queries.oneOrNone(jobOfItems, ref)
}

/** An import item as it is read for deciding. */
export interface UndecidedItem {
  uid: string
  found: Listing | ListingFailure
  observed_at: string
}

export interface DecideOptions extends WriteOptions {
  matcher: Matcher
  /** How many of the items were pending before; for the progress. All, unless told. */
  pendingBefore?: number
}

/**
 * Decides items and writes what became of them, within the caller's transaction, which holds the job. One decides at a
 * time per user, so what is read here is still so when it is written.
 */
export async function decideItems(
  services: Services,
  tx: Queries,
  job: JobOfItems,
  items: readonly UndecidedItem[],
  options: DecideOptions,
): Promise<Decided[]> {
  await moveListings(
    tx,
    job,
    items.map(({ found }) => found.listing_id),
  )
  const decided = await judgeItems(services, tx, job, await withReported(tx, job, items), options.matcher)
  await writeDecisions(tx, job, decided, options)
  noteMade(services, job, decided)
  await noteBack(tx, job, decided)
  await noteDecidedItems(tx, job, options.pendingBefore ?? items.length)
  return decided
}

/**
 * Decides listings that were just found and stores them with their job, in the transaction that holds the job and the
 * inventory: what auto_start makes of a page. Those that the job has already are left out. Answers how many are new.
 */
export async function decideFound(
  services: Services,
  tx: Queries,
  job: JobOfItems,
  found: readonly (Listing | ListingFailure)[],
  observed_at: string,
  context: BatchContext,
  matcher: Matcher,
): Promise<number> {
  if (found.length === 0) return 0
  const facts = await factsOf(tx, job, found, matcher)
  const candidates = found
    .filter((each) => !facts.stored.has(each.listing_id))
    .map((each) => ({ uid: newOrderedId('itm'), item_uid: newOrderedId('inv'), observed_at, found: each }))
  const quota = await itemQuota(services, job)
  const decided = decideBatch(candidates, facts, context, reporter(services, job), undefined, quota)
  await storeDecisions(tx, job, decided, observed_at)
  noteMade(services, job, decided)
  await noteBack(tx, job, decided)
  return decided.length
}

/** Listings that their seller put on offer again on the platform itself are held for live from now on. */
async function noteBack(tx: Queries, job: JobOfItems, decided: readonly Decided[]): Promise<void> {
  const ids = decided.filter(({ isBack }) => isBack).map(({ found }) => found.listing_id)
  if (ids.length > 0) await recordRelisted(tx, { ...job, job_uid: job.uid }, ids)
}

/** Decides items without writing anything. `taken`: see decideBatch. */
export async function judgeItems(
  services: Services,
  queries: Queries,
  job: JobOfItems,
  items: readonly UndecidedItem[],
  matcher: Matcher,
  taken?: Map<string, KnownItem>,
): Promise<Decided[]> {
  const found = items.map((item) => item.found)
  const facts = await factsOf(queries, job, found, matcher)
  const context = await readContext(services, queries, job)
  const candidates = items.map((item) => ({ ...item, item_uid: newOrderedId('inv') }))
  return decideBatch(candidates, facts, context, reporter(services, job), taken, await itemQuota(services, job))
}

/** The quota counts items that were made here at once, and those of other processes a minute later. */
async function itemQuota({ quotas, config }: Services, { user_id }: JobOfItems): Promise<ItemQuota> {
  const { items, itemBytes } = await quotas.roomOf(user_id)
  return { left: itemBytes > 0 ? items : 0, message: itemsExceeded(config) }
}

function noteMade({ quotas }: Services, { user_id }: JobOfItems, decided: readonly Decided[]): void {
  quotas.add(user_id, { items: decided.filter(({ decision }) => decision.status === 'imported').length })
}

/** The next undecided items of a job. */
export async function readPendingItems(tx: Queries, job: JobOfItems, limit: number): Promise<UndecidedItem[]> {
  return tx.any<UndecidedItem>(readPending, { ...job, limit })
}

/** Counts pending items that were decided, for the progress; any decision is a sign that the job gets on. */
export async function noteDecidedItems(tx: Queries, job: JobOfItems, decided: number): Promise<void> {
  await tx.none(noteDecided, { ...job, decided, careful_after: carefulAfter })
}

/** What a decision asks of the inventory, with look-alikes of the listings that are new to it. */
async function factsOf(
  queries: Queries,
  job: JobOfItems,
  found: readonly (Listing | ListingFailure)[],
  matcher: Matcher,
): Promise<Awaited<ReturnType<typeof readFacts>>> {
  const facts = await readFacts(queries, job, found)
  const unknown = found.filter(({ listing_id }) => !facts.listings.has(listing_id))
  return { ...facts, lookAlikes: await matcher.find(queries, unknown) }
}

function reporter(services: Services, job: JobOfItems) {
  return (error: unknown, { uid }: Candidate) =>
    services.log.error({ err: error, job_uid: job.uid, import_item: uid }, 'an import item could not be decided')
}
