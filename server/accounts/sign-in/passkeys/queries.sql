-- name: deletePasskey
-- Deletes a passkey of its own user.
delete from passkey where user_id = :user_id and uid = :uid returning name

-- name: findCredential
-- type counter: string | number
-- Returns a passkey of an active account.
select passkey.user_id, passkey.uid, passkey.public_key, passkey.counter, passkey.transports
from passkey
join app_user on app_user.id = passkey.user_id
where passkey.credential_id = :credential_id and app_user.state = 'active'

-- name: insertChallenge
-- Inserts a passkey challenge that is valid for :seconds s.
insert into passkey_challenge (token_hash, user_id, purpose, challenge, expires_at)
values (:token_hash, :user_id?, :purpose, :challenge, now() + :seconds * interval '1 second')
returning expires_at

-- name: insertPasskey
-- Inserts a passkey. No row if it is registered already.
insert into passkey (user_id, credential_id, public_key, counter, transports, name)
values (:user_id, :credential_id, :public_key, :counter, :transports::text[], :name)
on conflict (credential_id) do nothing
returning uid, name, created_at, last_used_at

-- name: listCredentials
-- Returns a user's passkeys for the browser, so that it makes no second one in the same place.
select credential_id as id, transports from passkey where user_id = :user_id

-- name: listPasskeys
-- Returns a user's passkeys, newest first.
select uid, name, created_at, last_used_at from passkey where user_id = :user_id order by created_at desc, uid

-- name: renamePasskey
-- Renames a passkey of its own user.
update passkey set name = :name where user_id = :user_id and uid = :uid returning uid, name, created_at, last_used_at

-- name: takeChallenge
-- Deletes and returns a challenge. Only one of several concurrent requests gets it.
delete from passkey_challenge
where token_hash = :token_hash and purpose = :purpose and user_id is not distinct from :user_id? and expires_at > now()
returning challenge

-- name: touchPasskey
-- Records the use of a passkey, if its counter is still the one that was checked.
update passkey set counter = :newCounter, last_used_at = now()
where user_id = :user_id and uid = :uid and counter = :counter
returning uid
