-- Finds the holders of bearer tokens by the SHA-256 of each token: live sessions of active accounts. `idle` and
-- `absolute` are the lifetimes of a session since its last use and its start, in seconds.
select token.token_hash as hash, token.user_id, app_user.username, app_user.email,
  extract(epoch from now() - token.verified_at)::float8 as proof_age
from bearer_token token
join app_user on app_user.id = token.user_id
where token.token_hash = any(${hashes}::bytea[]) and app_user.state = 'active'
  and token.created_at > now() - ${absolute} * interval '1 second'
  and coalesce(token.last_used_at, token.created_at) > now() - ${idle} * interval '1 second'
