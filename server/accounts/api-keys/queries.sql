-- import type { ApiKey } from '#shared/contract/account/api-keys.ts'

-- name: count
-- Returns the number of a user's live keys.
select count(*)::integer as "count!"
from api_key
where user_id = :user_id and (expires_at is null or expires_at > now())

-- name: deleteKey
-- Deletes a key of its own user.
delete from api_key where user_id = :user_id and id = :id

-- name: get
-- type scopes: ApiKey['scopes']
-- Returns a key of its own user, expired or not.
select id, name, prefix, last4, scopes, created_at, last_used_at, expires_at
from api_key
where user_id = :user_id and id = :id

-- name: insert
-- type scopes: ApiKey['scopes']
-- Inserts a key.
insert into api_key (user_id, id, name, key_hash, prefix, last4, scopes, expires_at)
values (:user_id, :id, :name, :key_hash, :prefix, :last4, :scopes, :expires_at?)
returning id, name, prefix, last4, scopes, created_at, last_used_at, expires_at

-- name: list
-- type scopes: ApiKey['scopes']
-- Returns a user's live keys, newest first.
select id, name, prefix, last4, scopes, created_at, last_used_at, expires_at
from api_key
where user_id = :user_id and (expires_at is null or expires_at > now())
order by created_at desc, id

-- name: readUsage
-- Returns the calls of a user's keys within a range of days.
select key_id, name, day, count, errors
from api_usage
where user_id = :user_id and day between :from::date and :to::date
order by key_id, day

-- name: rotate
-- type scopes: ApiKey['scopes']
-- Gives a live key a new value. The row's lock orders rotations, and the last one to commit stays.
update api_key set key_hash = :key_hash, last4 = :last4
where user_id = :user_id and id = :id and (expires_at is null or expires_at > now())
returning id, name, prefix, last4, scopes, created_at, last_used_at, expires_at
