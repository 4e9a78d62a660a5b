// Made from queries.sql by `npm run queries`. Do not edit.
import { statement } from '#server/infra/db/statement.ts'

/** Adds entries of accounts that still exist; a repeated refusal counts on the row of its hour. Accounts are read apart,
 * since Citus would insert nothing where a function's rows join accounts alone. */
export const addEntries = statement<{ user_ids: readonly (number | null)[]; kept_days: number; actions: readonly (string | null)[]; outcomes: readonly (string | null)[]; key_ids: readonly (string | null)[]; targets: readonly (string | null)[]; addresses: readonly (string | null)[]; user_agents: readonly (string | null)[]; request_ids: readonly (string | null)[]; times_at: readonly (string | Date | null)[]; last_times: readonly (string | Date | null)[]; counts: readonly (number | null)[]; merge_keys: readonly (string | null)[] }, void>(
  'infra/audit/addEntries',
  ['user_ids', 'kept_days', 'actions', 'outcomes', 'key_ids', 'targets', 'addresses', 'user_agents', 'request_ids', 'times_at', 'last_times', 'counts', 'merge_keys'],
  `with account as materialized (
  select id from app_user where id = any($1::integer[])
)
insert into audit_log as known (
  user_id, action, outcome, key_id, target, address, user_agent, request_id, at, last_at, times, merge_key, expires_at
)
select given.user_id, given.action, given.outcome, given.key_id, given.target, given.address, given.user_agent,
  given.request_id, given.at, given.last_at, given.times, given.merge_key,
  given.at + make_interval(days => $2)
from unnest(
  $1::integer[], $3::text[], $4::text[], $5::text[], $6::text[],
  $7::text[], $8::text[], $9::text[], $10::timestamptz[],
  $11::timestamptz[], $12::integer[], $13::text[]
) with ordinality as given (
  user_id, action, outcome, key_id, target, address, user_agent, request_id, at, last_at, times, merge_key, place
)
join account on account.id = given.user_id
order by given.user_id, given.place
on conflict (user_id, merge_key) do update set
  times = known.times + excluded.times,
  last_at = greatest(known.last_at, excluded.last_at)`,
)
