// Made from queries.sql by `npm run queries`. Do not edit.
import { statement } from '#server/infra/db/statement.ts'
import type { AuditEntry } from '#shared/contract/account/audit.ts'

/** Returns an account's audit entries, newest first. */
export const listEntries = statement<{ user_id: number; before: number | string | null; limit: number | string }, { id: number; action: AuditEntry['action']; outcome: string; key_id: string | null; target: string | null; address: string; user_agent: string; request_id: string; at: string; last_at: string; times: number }>(
  'accounts/audit/listEntries',
  ['user_id', 'before', 'limit'],
  `select id, action, outcome, key_id, target, address, user_agent, request_id, at, last_at, times
from audit_log
where user_id = $1 and ($2::bigint is null or id < $2::bigint)
order by id desc
limit $3`,
)
