import { transaction } from '#server/infra/db/transaction.ts'
import { withShopAccess } from '#server/integrations/connections/with-shop-access.ts'
import { PlatformError } from '#server/integrations/errors.ts'
import type { Services } from '#server/services.ts'
import type { Listing, ListingFailure } from '#shared/listing.ts'
import { importContention } from './contention.ts'
import { processItems, recordProgress } from './deciding/process-items.ts'
import { batchSize } from './deciding/process-pending.ts'
import type { UndecidedItem } from './deciding/undecided-items.ts'
import { sanitizeListing } from './discovery/sanitize-listing.ts'
import { type ClaimedJob, requireLease } from './jobs/claim-job.ts'
import type { Matcher } from './matching/matcher.ts'
import * as sql from './queries.ts'

/** Listings read again in parallel. */
const rereadTogether = 5

interface Action {
  uid: string
  kind: 'start' | 'retry'
  status_filter: string | null
  item_limit: number | null
  skip_conflicts: boolean
  state: 'waiting' | 'running'
}

interface ActionItem extends UndecidedItem {
  external_listing_id: string
  status: 'pending' | 'failed' | 'conflict'
}

/**
 * Does the next part of an action on a job (start, retry-failed). Marks the items first, then decides them in batches,
 * so that a crash leaves the marked ones. Returns false when there is no action.
 */
export async function runAction(
  services: Services,
  job: ClaimedJob,
  matcher: Matcher,
  signal?: AbortSignal,
): Promise<boolean> {
  const action = await services.db.oneOrNone(sql.nextAction(job))
  if (!action) return false
  if (action.state === 'waiting') await markActionItems(services, job, action)
  const rereads = action.kind === 'retry' && job.source === 'pull'
  const ref = refOf(job, action)
  const items = await services.db.any(sql.readActionItems({ ...ref, limit: rereads ? rereadTogether : batchSize }))
  if (items.length === 0) {
    await transaction(services.db, 'end-action', async (tx) => {
      await requireLease(tx, job)
      await tx.none(sql.endAction(ref))
    })
    return true
  }
  const reread = rereads ? await rereadListings(services, job, items, signal) : null
  await matcher.prepare(
    services,
    items.map((item) => reread?.get(item.external_listing_id) ?? item.found),
    { signal },
  )
  await decideActionItems(services, job, action, items, reread, matcher)
  return true
}

async function markActionItems(services: Services, job: ClaimedJob, action: Action): Promise<void> {
  await transaction(
    services.db,
    'mark-action',
    async (tx) => {
      await requireLease(tx, job)
      await tx.none(
        sql.markActionItems({
          ...refOf(job, action),
          status: action.kind === 'retry' ? 'failed' : action.status_filter,
          limit: action.item_limit,
        }),
      )
    },
    importContention,
  )
}

async function decideActionItems(
  services: Services,
  job: ClaimedJob,
  action: Action,
  items: readonly ActionItem[],
  reread: ReadonlyMap<string, Listing | ListingFailure> | null,
  matcher: Matcher,
): Promise<void> {
  const ref = refOf(job, action)
  await transaction(
    services.db,
    'decide-action',
    async (tx) => {
      await requireLease(tx, job, { deciding: true })
      const locked = await tx.any(sql.lockActionItems({ ...ref, uids: items.map((item) => item.uid) }))
      const current = reread ? withReadings(locked, reread, services.now().toISOString()) : locked
      await recordProgress(tx, job, locked.filter((item) => item.status === 'pending').length)
      await processItems(services, tx, job, current, { matcher, skipConflicts: action.skip_conflicts })
    },
    importContention,
  )
}

/** Replaces the listings of items by what was read of them again. */
function withReadings(
  items: readonly ActionItem[],
  reread: ReadonlyMap<string, Listing | ListingFailure>,
  observed_at: string,
): UndecidedItem[] {
  return items.map((item) => {
    const read = reread.get(item.external_listing_id)
    const reading = read ? mergeKnownFields(item.found, read) : item.found
    return { ...item, observed_at, found: reading, reading }
  })
}

/** Keeps what was known of a listing that still cannot be read. */
function mergeKnownFields(before: Listing | ListingFailure, now: Listing | ListingFailure): Listing | ListingFailure {
  if (!('error_code' in now) || !('error_code' in before)) return now
  const { title, url, price_minor, currency, sku } = before
  const reported = Object.entries(now).filter(([, value]) => value !== undefined)
  return { title, url, price_minor, currency, sku, ...Object.fromEntries(reported) } as ListingFailure
}

/** Reads listings again from the marketplace. A listing that still cannot be read becomes a failure. */
async function rereadListings(
  services: Services,
  job: ClaimedJob,
  items: readonly ActionItem[],
  signal?: AbortSignal,
): Promise<Map<string, Listing | ListingFailure>> {
  return withShopAccess(
    services,
    job,
    async (access, adapter) => {
      const entries = await Promise.all(
        items.map(async ({ external_listing_id }) => {
          const found = await adapter.imports
            .readOne(access, external_listing_id)
            .catch((error: unknown) => failureOf(error, external_listing_id))
          return [external_listing_id, { ...sanitizeListing(found), listing_id: external_listing_id }] as const
        }),
      )
      return new Map(entries)
    },
    signal,
  )
}

/** Converts an error about this one listing into its failure. Rethrows errors about the shop or the platform. */
function failureOf(error: unknown, listing_id: string): ListingFailure {
  if (!(error instanceof PlatformError)) throw error
  switch (error.failure) {
    case 'not_found':
      return { listing_id, error_code: 'fetch_failed', error_message: 'The listing is not there any more.' }
    case 'refused':
      return { listing_id, error_code: 'fetch_failed', error_message: error.message.slice(0, 2_000) }
    case 'malformed':
      return { listing_id, error_code: 'page_changed', error_message: error.message.slice(0, 2_000) }
    default:
      throw error
  }
}

const refOf = (job: ClaimedJob, action: Action) => ({ user_id: job.user_id, job_uid: job.uid, action_uid: action.uid })
