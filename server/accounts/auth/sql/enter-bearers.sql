-- Who holds each asked bearer token of an active account, and the user's count of the running minute after these
-- requests. Sorted, so that two servers lock in the same order. One statement for all requests of a tick.
-- $1: the SHA-256 of each, 32 bytes after 32; $2: how many requests brought it; $3, $4: the lifetimes of a session since
-- its last use and since it was opened, in seconds.
with found as (
  select given.place, given.n, token.user_id, app_user.username, app_user.email,
    extract(epoch from now() - token.verified_at)::float8 as proof_age
  from (
    select n, (ordinal - 1)::integer as place, substr($1::bytea, (ordinal::integer - 1) * 32 + 1, 32) as hash
    from unnest($2::integer[]) with ordinality as counted (n, ordinal)
  ) given
  join bearer_token token on token.token_hash = given.hash
  join app_user on app_user.id = token.user_id
  where app_user.state = 'active' and token.created_at > now() - $4 * interval '1 second'
    and coalesce(token.last_used_at, token.created_at) > now() - $3 * interval '1 second'
), user_count as (
  insert into request_count as known (subject, count, ends_at)
  select 'u:' || user_id, sum(n), clock_timestamp() + interval '1 minute'
  from found
  group by user_id
  order by 1
  on conflict (subject) do update set
    count = case when known.ends_at <= clock_timestamp() then excluded.count else known.count + excluded.count end,
    ends_at = case when known.ends_at <= clock_timestamp() then excluded.ends_at else known.ends_at end
  returning subject, count, ends_at
)
select found.place, found.user_id, null::text as key_id, null::text[] as scopes, found.username, found.email, found.proof_age,
  null::integer as key_count, null::float8 as key_seconds,
  user_count.count as user_count,
  extract(epoch from user_count.ends_at - clock_timestamp())::float8 as user_seconds
from found
join user_count on user_count.subject = 'u:' || found.user_id
