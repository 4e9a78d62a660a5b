-- name: addEntries
-- Adds entries of accounts that still exist; a repeated refusal counts on the row of its hour. Accounts are read apart,
-- since Citus would insert nothing where a function's rows join accounts alone.
with account as materialized (
  select id from app_user where id = any(:user_ids::integer[])
)
insert into audit_log as known (
  user_id, action, outcome, key_id, target, address, user_agent, request_id, at, last_at, times, merge_key, expires_at
)
select given.user_id, given.action, given.outcome, given.key_id, given.target, given.address, given.user_agent,
  given.request_id, given.at, given.last_at, given.times, given.merge_key,
  given.at + make_interval(days => :kept_days)
from unnest(
  :user_ids::integer[], :actions::text[], :outcomes::text[], :key_ids::text[], :targets::text[],
  :addresses::text[], :user_agents::text[], :request_ids::text[], :times_at::timestamptz[],
  :last_times::timestamptz[], :counts::integer[], :merge_keys::text[]
) with ordinality as given (
  user_id, action, outcome, key_id, target, address, user_agent, request_id, at, last_at, times, merge_key, place
)
join account on account.id = given.user_id
order by given.user_id, given.place
on conflict (user_id, merge_key) do update set
  times = known.times + excluded.times,
  last_at = greatest(known.last_at, excluded.last_at)
