import { noteOf } from '#server/catalog/inventory/listing-note.ts'
import { requireOpenAccount } from '#server/http/lock-user.ts'
import type { Queries } from '#server/infra/db/index.ts'
import { transaction } from '#server/infra/db/transaction.ts'
import { notFound } from '#server/infra/errors.ts'
import type { Services } from '#server/services.ts'
import type { ImportItem, ImportItemStatus, ImportJob } from '#shared/contract/catalog/imports.ts'
import { offsetOf } from '#shared/contract/declaring/pages.ts'
import type { JobRef } from '../jobs/claim-job.ts'
import { type PreviewOrder, sendPreview } from '../jobs/queue.ts'
import { readJob } from '../jobs/read-jobs.ts'
import type { KnownItem } from '../matching/look-alike.ts'
import { createMatcher, type Matcher } from '../matching/matcher.ts'
import type { Decision } from './decide-listing.ts'
import { decideItems, findJobOfItems, type JobOfItems } from './process-items.ts'
import * as sql from './queries.ts'
import type { UndecidedItem } from './undecided-items.ts'

const batchSize = 500
/** Seconds until a preview that waits for discovery looks again. */
const lookAgainSeconds = 1

/** Requests a preview of a job's matching items. Only the newest request is shown. */
export async function requestPreview(
  services: Services,
  asked: JobRef & { status_filter?: ImportItemStatus; limit?: number },
): Promise<ImportJob> {
  return transaction(services.db, 'request-preview', async (tx) => {
    await requireOpenAccount(tx, asked.user_id)
    const requested = await tx.oneOrNone(sql.requestPreview(asked))
    if (!requested) throw notFound()
    await sendPreview(services, tx, {
      user_id: asked.user_id,
      job_uid: asked.job_uid,
      generation: requested.generation,
      status_filter: asked.status_filter ?? null,
      limit: asked.limit ?? null,
    })
    return readJob(tx, asked)
  })
}

/**
 * Decides the items of a preview in batches once all are found, and publishes it when complete. It writes nothing else,
 * so a crash is harmless.
 */
export async function runPreview(services: Services, order: PreviewOrder): Promise<void> {
  const job = await findJobOfItems(services.db, order)
  if (!job) return
  if (job.is_discovering) return sendPreview(services, services.db, order, lookAgainSeconds)
  // SKUs that earlier batches would take. They are not in the inventory yet.
  const taken = new Map<string, KnownItem>()
  const matcher = createMatcher(job)
  let left = order.limit ?? Number.MAX_SAFE_INTEGER
  let after = ''
  while (left > 0) {
    const limit = Math.min(batchSize, left)
    const items = await services.db.any(
      sql.readPreviewItems({
        ...order,
        status: order.status_filter,
        after,
        limit,
      }),
    )
    if (items.length > 0) await previewBatch(services, services.db, order, job, items, matcher, taken)
    if (items.length < limit) break
    after = items[items.length - 1]!.uid
    left -= items.length
  }
  await services.db.none(sql.publishPreview(order))
}

async function previewBatch(
  services: Services,
  queries: Queries,
  order: PreviewOrder,
  job: JobOfItems,
  items: readonly (UndecidedItem & { status: ImportItemStatus })[],
  matcher: Matcher,
  taken: Map<string, KnownItem>,
): Promise<void> {
  const final = (item: { status: ImportItemStatus }) => item.status === 'imported' || item.status === 'skipped'
  const decided = await decideItems(
    services,
    queries,
    job,
    items.filter((item) => !final(item)),
    { matcher, taken },
  )
  const rows = [
    ...decided.map(({ uid, decision }) => ({ item_uid: uid, ...columnsOf(decision) })),
    ...items.filter(final).map(({ uid, status }) => ({ item_uid: uid, status })),
  ]
  await queries.none(sql.storePreview({ ...order, rows: JSON.stringify(rows) }))
}

function columnsOf(decision: Decision): object {
  switch (decision.status) {
    case 'imported':
      return { status: 'imported' }
    case 'skipped':
      return { status: 'skipped', conflict_type: decision.kept?.conflict_type, conflict_details: decision.details }
    default:
      return decision
  }
}

/** Lists a page of the finished preview, empty until there is one. Throws 404 for another user's job. */
export async function listPreview(
  queries: Queries,
  job: JobRef,
  query: { status?: ImportItemStatus; page?: number; page_size?: number },
): Promise<{ count: number; results: ImportItem[] }> {
  const values = { ...job, status: query.status ?? null, ...offsetOf(query) }
  const counted = await queries.oneOrNone(sql.countPreview(values))
  if (!counted) throw notFound()
  const rows = await queries.any(sql.listPreview(values))
  return { count: counted.count, results: rows.map(({ terms, ...row }) => ({ ...row, note: noteOf(terms) })) }
}
