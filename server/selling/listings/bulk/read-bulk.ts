import type { Queries } from '#server/infra/db/index.ts'
import { notFound } from '#server/infra/errors.ts'
import { offsetOf } from '#shared/contract/declaring/pages.ts'
import type { BulkJob, BulkResult } from '#shared/contract/selling/listings.ts'
import * as sql from './queries.ts'

/** Reads a page of a user's bulk jobs, the newest first. */
export async function listBulkJobs(
  queries: Queries,
  user_id: number,
  query: { status?: BulkJob['status']; page?: number; page_size?: number },
): Promise<{ count: number; results: BulkJob[] }> {
  const key = { user_id, status: query.status ?? null, ...offsetOf(query) }
  const { count } = await queries.one(sql.countBulkJobs(key))
  return { count, results: await queries.any(sql.listBulkJobs(key)) }
}

/** Finds a bulk job with its counters. Throws 404 for an unknown job or another user's. */
export async function findBulkJob(queries: Queries, user_id: number, uid: string): Promise<BulkJob> {
  const job = await queries.oneOrNone(sql.findBulkJob({ user_id, uid }))
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
  const { count } = await queries.one(sql.countBulkItems(key))
  return { ...job, job, count, results: await queries.any(sql.listBulkItems(key)) }
}
