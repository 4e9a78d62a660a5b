-- Finds the holder of each request's bearer token, like find-bearers.sql, and counts the request for its user.
-- `user_ordinal` numbers the user's requests of the current minute. Sorts, so that two servers lock rows in the same
-- order. $1: the SHA-256 of each token; $2, $3: the lifetimes of a session since its last use and its start, in seconds.
with request as materialized (
  select place, token.token_hash as hash, token.user_id, app_user.username, app_user.email,
    extract(epoch from now() - token.verified_at)::float8 as proof_age
  from unnest($1::bytea[]) with ordinality as given (hash, place)
  join bearer_token token on token.token_hash = given.hash
  join app_user on app_user.id = token.user_id
  where app_user.state = 'active' and token.created_at > now() - $3 * interval '1 second'
    and coalesce(token.last_used_at, token.created_at) > now() - $2 * interval '1 second'
), user_count as materialized (
  select asked.user_id, asked.requests, counted.count, counted.ends_at
  from (select user_id, count(*) as requests from request group by user_id order by user_id) asked
  cross join lateral count_requests('u:' || asked.user_id, asked.requests) counted
)
select request.*,
  (user_count.count - user_count.requests + row_number() over (partition by user_id order by place))::integer as user_ordinal,
  extract(epoch from user_count.ends_at - clock_timestamp())::float8 as user_seconds
from request
join user_count using (user_id)
