import { sql } from '#server/infra/db/index.ts'
import type { Services } from '#server/services.ts'
import type { Session } from '#shared/contract/sessions.ts'
import { sessionLifetimes } from './lifetimes.ts'
import { deviceName } from './origin.ts'

const list = sql(import.meta.url, './sql/list-sessions.sql')

/** The live sessions of an account, the last used first; the one that asks is marked. */
export async function listSessions(
  { db, config }: Pick<Services, 'db' | 'config'>,
  { user_id, token_hash }: { user_id: number; token_hash: Buffer },
): Promise<Session[]> {
  const rows = await db.any<Omit<Session, 'device'>>(list, { user_id, token_hash, ...sessionLifetimes(config) })
  return rows.map((row) => ({ ...row, device: deviceName(row.user_agent) }))
}
