import { type Queries, sql } from '#server/infra/db/index.ts'
import { notFound } from '#server/infra/errors.ts'
import type { BulkJob, BulkResult } from '#shared/contract/listings.ts'
import { offsetOf } from '#shared/contract/pages.ts'

const findJob = sql(import.meta.url, './sql/find-bulk-job.sql')
const listJobs = sql(import.meta.url, './sql/list-bulk-jobs.sql')
const countJobs = sql(import.meta.url, './sql/count-bulk-jobs.sql')
const listItems = sql(import.meta.url, './sql/list-bulk-items.sql')
const countItems = sql(import.meta.url, './sql/count-bulk-items.sql')

/** Reads a page of a user's bulk jobs, the newest first. */
export async function listBulkJobs(
  queries: Queries,
  user_id: number,
  query: { status?: BulkJob['status']; page?: number; page_size?: number },
): Promise<{ count: number; results: BulkJob[] }> {
  const key = { user_id, status: query.status ?? null, ...offsetOf(query) }
  const { count } = await queries.one<{ count: number }>(countJobs, key)
  return { count, results: await queries.any<BulkJob>(listJobs, key) }
}

/** Finds a bulk job with its counters. Throws 404 for an unknown job or another user's. */
export async function findBulkJob(queries: Queries, user_id: number, uid: string): Promise<BulkJob> {
  const job = await queries.oneOrNone<BulkJob>(findJob, { user_id, uid })
  if (!job) throw notFound()
  return job
}

/** Reads a bulk job and a page of its results, counters and page of one moment. */
export async function readBulkJob(
  queries: Queries,
  user_id: number,
  uid: string,
  query: { status?: BulkResult['status']; page?: number; page_size?: number },
): Promise<BulkJob & { job: BulkJob; count: number; results: BulkResult[] }> {
  const key = { user_id, uid, status: query.status ?? null, ...offsetOf(query) }
  const job = await findBulkJob(queries, user_id, uid)
  const { count } = await queries.one<{ count: number }>(countItems, key)
  return { ...job, job, count, results: await queries.any<BulkResult>(listItems, key) }
}
