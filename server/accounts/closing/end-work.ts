import { type Queries, sql } from '#server/infra/db/index.ts'
import type { StillUp } from '#server/infra/mail-sms/templates.ts'

const endWorkOf = sql(import.meta.url, './sql/end-work.sql')

/**
 * Ends what an account that nobody can enter any more has under way, in the caller's transaction, which holds the account.
 * Answers which listings were to come down and are not down.
 */
export function endWork(queries: Queries, userId: number): Promise<StillUp[]> {
  return queries.any<StillUp>(endWorkOf, { user_id: userId })
}
