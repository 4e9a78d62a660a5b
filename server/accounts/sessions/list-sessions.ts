import type { Queries } from '#server/infra/db/index.ts'
import type { Services } from '#server/services.ts'
import type { Session } from '#shared/contract/account/sessions.ts'
import { sessionLifetimes } from './lifetimes.ts'
import { deviceName } from './origin.ts'
import * as sql from './queries.ts'

/** Lists the live sessions of an account, most recently used first, and marks the current one. */
export async function listSessions(
  { db, config }: Pick<Services, 'db' | 'config'>,
  { user_id, token_hash }: { user_id: number; token_hash: Buffer },
): Promise<Session[]> {
  const rows = await db.any(sql.listSessions({ user_id, token_hash, ...sessionLifetimes(config) }))
  return rows.map((row) => ({ ...row, device: deviceName(row.user_agent) }))
}

/** Ends a session of a user. Returns false if there is no such session. */
export async function endSession(queries: Queries, session: { user_id: number; uid: string }): Promise<boolean> {
  return (await queries.oneOrNone(sql.deleteSession(session))) !== null
}

/** Ends a user's sessions except this one, and returns their number. */
export function endOtherSessions(
  queries: Queries,
  session: { user_id: number; token_hash: Buffer },
): Promise<{ ended: number }> {
  return queries.one(sql.deleteOtherSessions(session))
}
