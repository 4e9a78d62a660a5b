import { pageOf } from '#server/http/answers/list-page.ts'
import type { Queries } from '#server/infra/db/index.ts'
import { invalidField } from '#server/infra/errors.ts'
import type { AuditEntry } from '#shared/contract/account/audit.ts'
import * as sql from './queries.ts'

/** Returns a page of the account's audit trail, newest first. Throws 400 for an invalid cursor. */
export async function listAudit(
  queries: Queries,
  user_id: number,
  query: { cursor?: string; page_size?: number },
): Promise<{ results: AuditEntry[]; next_cursor: string | null }> {
  const limit = query.page_size ?? 20
  const before = query.cursor === undefined ? null : readCursor(query.cursor)
  const rows = await queries.any(sql.listEntries({ user_id, before, limit: limit + 1 }))
  const entries = rows.map(({ id, ...entry }) => ({ id: String(id), ...entry }))
  return pageOf(entries, limit, ({ id }) => id)
}

function readCursor(cursor: string): string {
  const id = Buffer.from(cursor, 'base64url').toString('utf8')
  if (!/^\d{1,18}$/.test(id)) throw invalidField('cursor', 'invalid_value', 'is not the next_cursor of a page')
  return id
}
