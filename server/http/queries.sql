-- name: addUsage
-- Adds calls to the days of their keys. Stores the key's name too, since usage outlives its key.
insert into api_usage as known (user_id, key_id, day, name, count, errors)
select given.user_id, given.key_id, given.day, given.name, given.count, given.errors
from unnest(
  :user_ids::integer[], :key_ids::text[], :names::text[], :days::date[], :counts::bigint[], :errors::bigint[]
) as given (user_id, key_id, name, day, count, errors)
order by given.user_id, given.key_id, given.day
on conflict (user_id, key_id, day) do update set
  count = known.count + excluded.count,
  errors = known.errors + excluded.errors,
  name = excluded.name

-- name: lockUser
-- Returns an active account and locks it until the transaction ends.
select id, username, email, email_verified, phone_number, phone_verified, first_name, last_name, password_hash,
  secured_at is not null as "is_secured!"
from app_user left join seller_settings shard on shard.user_id = :user_id
where id = :user_id and state = 'active'
for no key update of app_user

-- name: shareUser
-- Returns an active account and takes a shared lock on it until the transaction ends.
select id from app_user left join seller_settings shard on shard.user_id = :user_id
where id = :user_id and state = 'active'
for share of app_user

-- name: touchKeys
-- Records the last use of keys. Updates only, so that a key that was deleted meanwhile does not return.
update api_key key
set last_used_at = greatest(key.last_used_at, given.at)
from unnest(:user_ids::integer[], :key_ids::text[], :times::timestamptz[]) as given (user_id, key_id, at)
where key.user_id = given.user_id and key.id = given.key_id

-- name: touchTokens
-- Records the last use of bearer tokens, every five minutes at most. Updates only, so that an ended token does not
-- return. Never records a time before the token's creation: a slow clock would expire a new session.
update bearer_token token
set last_used_at = greatest(token.last_used_at, token.created_at, given.at)
from unnest(:user_ids::integer[], :hashes::bytea[], :times::timestamptz[]) as given (user_id, hash, at)
where token.user_id = given.user_id and token.token_hash = given.hash
  and (token.last_used_at is null or given.at - token.last_used_at > interval '5 minutes')
