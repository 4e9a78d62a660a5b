-- Who holds each asked API key of an active account, counting nothing: for while the database refuses writes.
-- $1: the SHA-256 of each, 32 bytes after 32; $2: how many requests brought it. Otherwise as enter-keys.
select given.place, key.user_id, key.id as key_id, key.name as key_name, key.scopes, app_user.username, app_user.email
from (
  select (ordinal - 1)::integer as place, substr($1::bytea, (ordinal::integer - 1) * 32 + 1, 32) as hash
  from unnest($2::integer[]) with ordinality as counted (n, ordinal)
) given
join api_key key on key.key_hash = given.hash
join app_user on app_user.id = key.user_id
where app_user.state = 'active' and (key.expires_at is null or key.expires_at > now())
