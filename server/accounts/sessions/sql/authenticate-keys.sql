-- Finds the holder of each request's API key, like find-keys.sql, and counts the request for the key. Counts it for the
-- user too, unless it exceeds the limit of the key ($2); `user_ordinal` is then null. The ordinals number the requests
-- of the current minute. $1: the SHA-256 of each key. Sorts, so that two servers lock rows in the same order.
with request as materialized (
  select place, key.key_hash as hash, key.user_id, key.id as key_id, key.name as key_name, key.scopes,
    app_user.username, app_user.email
  from unnest($1::bytea[]) with ordinality as given (hash, place)
  join api_key key on key.key_hash = given.hash
  join app_user on app_user.id = key.user_id
  where app_user.state = 'active' and (key.expires_at is null or key.expires_at > now())
), key_count as materialized (
  select asked.key_id, asked.requests, counted.count, counted.ends_at
  from (select key_id, count(*) as requests from request group by key_id order by key_id) asked
  cross join lateral count_requests('k:' || asked.key_id, asked.requests) counted
), by_key as materialized (
  select request.*,
    (key_count.count - key_count.requests + row_number() over (partition by key_id order by place))::integer as key_ordinal,
    extract(epoch from key_count.ends_at - clock_timestamp())::float8 as key_seconds
  from request
  join key_count using (key_id)
), user_count as materialized (
  select asked.user_id, asked.requests, counted.count, counted.ends_at
  from (
    select user_id, count(*) as requests from by_key where key_ordinal <= $2 group by user_id order by user_id
  ) asked
  cross join lateral count_requests('u:' || asked.user_id, asked.requests) counted
)
select by_key.*,
  case when key_ordinal <= $2 then
    user_count.count - user_count.requests
      + row_number() over (partition by user_id, key_ordinal <= $2 order by place)
  end::integer as user_ordinal,
  extract(epoch from user_count.ends_at - clock_timestamp())::float8 as user_seconds
from by_key
left join user_count using (user_id)
