-- name: insertStep
-- Inserts a sign-in that passed its first step, for an active account with a second factor. No row for any other
-- account.
insert into signin_step as made (token_hash, user_id, expires_at)
select :token_hash, holder.id, now() + :seconds * interval '1 second'
from (
  select id from app_user left join seller_settings shard on shard.user_id = :user_id
  where id = :user_id and state = 'active'
    and (:password_hash?::text is null or password_hash = :password_hash)
  for share of app_user
) holder
join totp_secret on totp_secret.user_id = holder.id and totp_secret.confirmed_at is not null
returning made.expires_at

-- name: insertUser
-- Inserts an account. No row if the username is taken (another is then tried). A taken e-mail address or phone number
-- raises an error. An address that is verified from the start belongs to the account's maker, so nobody else has a way
-- in.
insert into app_user (username, email, email_verified, phone_number, phone_verified, first_name, last_name, password_hash,
  secured_at, is_owner)
values (:username, :email?, :email_verified, :phone_number?, :phone_verified, :first_name, :last_name,
  :password_hash?, case when :email_verified then now() end, :is_owner)
on conflict (username) do nothing
returning id, username, email, phone_verified, email_verified

-- name: renewVerification
-- Records that the holder of a session has just proved their identity.
update bearer_token set verified_at = now() where user_id = :user_id and token_hash = :token_hash returning uid

-- name: tryStep
-- Counts an attempt at the second step before it is checked. No row if none is left, or there is no such step.
update signin_step set tries = tries + 1
where token_hash = :token_hash and used_at is null and expires_at > now() and tries < :max_tries
returning user_id

-- name: useStepToken
-- Uses a sign-in step up. Only one of several concurrent requests gets the row.
update signin_step set used_at = now() where token_hash = :token_hash and used_at is null returning user_id
