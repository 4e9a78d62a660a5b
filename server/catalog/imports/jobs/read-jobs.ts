import { cleanLine } from '#server/catalog/inventory/clean.ts'
import type { Queries } from '#server/infra/db/index.ts'
import { notFound } from '#server/infra/errors.ts'
import type { ImportJob, ImportJobStatus } from '#shared/contract/catalog/imports.ts'
import { summarizeIssues } from '#shared/import-issues.ts'
import type { PlatformSlug } from '#shared/platforms.ts'
import * as sql from './queries.ts'

export type JobRow = Omit<ImportJob, 'has_issues' | 'issue_summary' | 'progress_percentage'> & {
  progress: number
  /** Messages of failed items about the whole import. */
  whole: string[]
  left_out: number
}

/** Lists a user's last 50 import jobs, newest first. */
export async function listJobs(
  queries: Queries,
  filter: { user_id: number; marketplace?: PlatformSlug; status?: ImportJobStatus },
): Promise<ImportJob[]> {
  const rows = await queries.any(
    sql.readJobs({
      user_id: filter.user_id,
      job_uid: null,
      marketplace: filter.marketplace ?? null,
      status: filter.status ?? null,
    }),
  )
  return rows.map(toImportJob)
}

/** Reads one job as the API shows it. Throws 404 for an unknown job or another user's. */
export async function readJob(queries: Queries, job: { user_id: number; job_uid: string }): Promise<ImportJob> {
  const row = await queries.oneOrNone(sql.readJobs({ ...job, marketplace: null, status: null }))
  if (!row) throw notFound()
  return toImportJob(row)
}

function toImportJob({ progress, whole, left_out, ...row }: JobRow): ImportJob {
  return {
    ...row,
    has_issues: row.items_failed + row.items_conflicted > 0,
    issue_summary: summarizeIssues({
      whole: whole.map((message) => cleanLine(message).slice(0, 500)),
      failed: row.items_failed,
      conflicted: row.items_conflicted,
      leftOut: left_out,
    }),
    progress_percentage: Math.round(progress * 10) / 10,
  }
}
