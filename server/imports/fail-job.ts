import { type Queries, sql } from '#server/db/index.ts'

const fail = sql(import.meta.url, './sql/fail-job.sql')

/**
 * Ends a live job with a reason for the seller; what was imported is kept. Of a job that has ended already only what was
 * asked since is put aside. With a `lease_epoch` only while that lease is the newest.
 */
export async function failJob(
  queries: Queries,
  job: { user_id: number; uid: string; lease_epoch?: number },
  message: string,
): Promise<void> {
  await queries.none(fail, { ...job, lease_epoch: job.lease_epoch ?? null, message })
}
