import type { Queries } from '#server/infra/db/index.ts'
import type { StillUp } from '#server/infra/mail-sms/templates.ts'
import * as sql from './queries.ts'

/**
 * Ends the work of an account without a way in, in the caller's transaction, which locks the account. Returns the
 * listings that were to come down but are still up.
 */
export function endWork(queries: Queries, userId: number): Promise<StillUp[]> {
  return queries.any(sql.endWork({ user_id: userId }))
}
