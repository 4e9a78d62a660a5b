import { noteOf } from '#server/catalog/inventory/listing-note.ts'
import type { Queries } from '#server/infra/db/index.ts'
import { notFound } from '#server/infra/errors.ts'
import type { ImportItem, ImportItemStatus } from '#shared/contract/catalog/imports.ts'
import { offsetOf } from '#shared/contract/declaring/pages.ts'
import type { JobRef } from './claim-job.ts'
import * as sql from './queries.ts'

/** Lists a page of a job's items. Throws 404 for an unknown job or another user's. */
export async function listItems(
  queries: Queries,
  job: JobRef,
  statuses: readonly ImportItemStatus[],
  page: { page?: number; page_size?: number },
): Promise<{ count: number; results: ImportItem[] }> {
  const values = { ...job, statuses, ...offsetOf(page) }
  const counted = await queries.oneOrNone(sql.countItems(values))
  if (!counted) throw notFound()
  const rows = await queries.any(sql.listItems(values))
  return { count: counted.count, results: rows.map(({ terms, ...row }) => ({ ...row, note: noteOf(terms) })) }
}
