-- Who holds each asked bearer token of an active account, counting nothing: for while the database refuses writes.
-- $1: the SHA-256 of each, 32 bytes after 32; $2: how many requests brought it. Otherwise as enter-bearers.
select given.place, token.user_id, null::text as key_id, null::text[] as scopes, app_user.username, app_user.email,
  extract(epoch from now() - token.verified_at)::float8 as proof_age
from (
  select (ordinal - 1)::integer as place, substr($1::bytea, (ordinal::integer - 1) * 32 + 1, 32) as hash
  from unnest($2::integer[]) with ordinality as counted (n, ordinal)
) given
join bearer_token token on token.token_hash = given.hash
join app_user on app_user.id = token.user_id
where app_user.state = 'active' and token.created_at > now() - $4 * interval '1 second'
  and coalesce(token.last_used_at, token.created_at) > now() - $3 * interval '1 second'
