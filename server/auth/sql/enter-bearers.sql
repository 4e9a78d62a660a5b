-- Who holds each asked bearer token of an active account, and the user's count of the running minute after these
-- requests. Sorted, so that two servers lock in the same order. One statement for all requests of a tick.
with found as (
  select given.hash, given.n, token.user_id, app_user.username, app_user.email
  from unnest($1::bytea[], $2::integer[]) as given (hash, n)
  join bearer_token token on token.token_hash = given.hash
  join app_user on app_user.id = token.user_id
  where app_user.state = 'active'
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
select found.hash, found.user_id, null::text as key_id, null::text[] as scopes, found.username, found.email,
  null::integer as key_count, null::float8 as key_seconds,
  user_count.count as user_count,
  extract(epoch from user_count.ends_at - clock_timestamp())::float8 as user_seconds
from found
join user_count on user_count.subject = 'u:' || found.user_id
