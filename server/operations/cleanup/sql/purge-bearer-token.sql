-- Removes sessions that have ended by their lifetimes.
-- A browser's notifications go on without the session: a seller who reads only them has not signed out.
with ended as materialized (
  select user_id, token_hash
  from bearer_token token
  where created_at < now() - ${absolute} * interval '1 second'
    or coalesce(last_used_at, created_at) < now() - ${idle} * interval '1 second'
  limit ${limit}
  for update skip locked
), kept as (
  update web_push_subscription subscription set token_hash = null
  from ended
  where subscription.user_id = ended.user_id and subscription.token_hash = ended.token_hash
)
delete from bearer_token token
using ended
where token.user_id = ended.user_id and token.token_hash = ended.token_hash
