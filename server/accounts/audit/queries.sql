-- import type { AuditEntry } from '#shared/contract/account/audit.ts'

-- name: listEntries
-- type action: AuditEntry['action']
-- Returns an account's audit entries, newest first.
select id, action, outcome, key_id, target, address, user_agent, request_id, at, last_at, times
from audit_log
where user_id = :user_id and (:before?::bigint is null or id < :before::bigint)
order by id desc
limit :limit
