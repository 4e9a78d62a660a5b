-- name: deleteIdentityToken
-- Allows an identity token to be used again.
delete from used_identity_token where token_hash = :token_hash

-- name: endLink
-- Ends the link of an identity. The row stays, so that no other account takes the identity.
update social_link set ended_at = now(), encrypted_refresh_token = null
where user_id = :user_id and provider = :provider and subject = :subject and ended_at is null

-- name: findLink
-- Returns the account of an identity at another service, and whether it still opens the account.
select link.user_id, app_user.username, app_user.email,
  link.ended_at is null and app_user.state = 'active' as "live!"
from social_link link
join app_user on app_user.id = link.user_id
where link.provider = :provider and link.subject = :subject

-- name: insertLink
-- Links an identity. No row if it is linked already, to any account.
insert into social_link (user_id, provider, subject, encrypted_refresh_token)
values (:user_id, :provider, :subject, :encrypted_refresh_token?)
on conflict (provider, subject) do nothing
returning user_id

-- name: listGrants
-- Returns an account's live links to Apple, with the encrypted refresh token of each; null where none was redeemed.
select subject, encrypted_refresh_token from social_link
where user_id = :user_id and provider = 'apple' and ended_at is null

-- name: lockEmailHolder
-- Returns the account that has an e-mail address, in any state, and locks it until the transaction ends.
select id, email_verified, phone_verified, state from app_user where email = :email for no key update

-- name: lockIdentity
-- Locks an identity that may have no row yet, until the transaction ends.
select pg_advisory_xact_lock(hashtextextended(:provider || ' ' || :subject, 0))

-- name: recordIdentityToken
-- Records the use of an identity token until it has expired by any clock. No row at the second use.
insert into used_identity_token (token_hash, expires_at)
values (:token_hash, :expires_at::timestamptz + interval '5 minutes')
on conflict (token_hash) do nothing
returning token_hash

-- name: storeRefreshToken
-- Stores the newest refresh token of a linked identity.
update social_link set encrypted_refresh_token = :encrypted_refresh_token?
where user_id = :user_id and provider = :provider and subject = :subject and ended_at is null

-- name: takeEmailAway
-- Takes the address, and the password that goes with it, from an account that never verified it.
update app_user set email = null, password_hash = null where id = :user_id and not email_verified
