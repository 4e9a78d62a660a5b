-- Who holds each asked API key of an active account, and the counts of the running minute after these requests: of the
-- key, and of the user by the requests that the key's limit ($3) let through. Sorted, so that two servers lock in the
-- same order. One statement for all requests of a tick.
-- $1: the SHA-256 of each, 32 bytes after 32; $2: how many requests brought it.
with found as (
  select given.place, given.n, key.user_id, key.id as key_id, key.name as key_name, key.scopes, app_user.username, app_user.email
  from (
    select n, (ordinal - 1)::integer as place, substr($1::bytea, (ordinal::integer - 1) * 32 + 1, 32) as hash
    from unnest($2::integer[]) with ordinality as counted (n, ordinal)
  ) given
  join api_key key on key.key_hash = given.hash
  join app_user on app_user.id = key.user_id
  where app_user.state = 'active' and (key.expires_at is null or key.expires_at > now())
), key_count as (
  insert into request_count as known (subject, count, ends_at)
  select 'k:' || key_id, n, clock_timestamp() + interval '1 minute'
  from found
  order by 1
  on conflict (subject) do update set
    count = case when known.ends_at <= clock_timestamp() then excluded.count else known.count + excluded.count end,
    ends_at = case when known.ends_at <= clock_timestamp() then excluded.ends_at else known.ends_at end
  returning subject, count, ends_at
), user_count as (
  insert into request_count as known (subject, count, ends_at)
  select 'u:' || found.user_id, sum(greatest(0, least(found.n, $3 - (key_count.count - found.n)))),
    clock_timestamp() + interval '1 minute'
  from found
  join key_count on key_count.subject = 'k:' || found.key_id
  group by found.user_id
  order by 1
  on conflict (subject) do update set
    count = case when known.ends_at <= clock_timestamp() then excluded.count else known.count + excluded.count end,
    ends_at = case when known.ends_at <= clock_timestamp() then excluded.ends_at else known.ends_at end
  returning subject, count, ends_at
)
select found.place, found.user_id, found.key_id, found.key_name, found.scopes, found.username, found.email,
  key_count.count as key_count,
  extract(epoch from key_count.ends_at - clock_timestamp())::float8 as key_seconds,
  user_count.count as user_count,
  extract(epoch from user_count.ends_at - clock_timestamp())::float8 as user_seconds
from found
join key_count on key_count.subject = 'k:' || found.key_id
join user_count on user_count.subject = 'u:' || found.user_id
