-- name: beginTotp
-- Stores a new secret that must be confirmed within :seconds s. No row if one is in use.
with begun as (
  insert into totp_secret as known (user_id, encrypted_secret, created_at)
  values (:user_id, :encrypted_secret, now())
  on conflict (user_id) do update set
    encrypted_secret = excluded.encrypted_secret, created_at = excluded.created_at, last_step = 0
  where known.confirmed_at is null
  returning created_at
)
select created_at + :seconds * interval '1 second' as "expires_at!" from begun

-- name: confirmTotp
-- Enables the second factor, and marks the given code as used.
update totp_secret set confirmed_at = now(), last_step = :step where user_id = :user_id and confirmed_at is null
returning user_id

-- name: findState
-- Returns the second factors that a sign-in to an account requires.
select
  (select confirmed_at from totp_secret where user_id = :user_id) as totp_confirmed_at,
  (select count(*)::integer from recovery_code where user_id = :user_id and used_at is null) as "recovery_codes_left!",
  (select count(*)::integer from passkey where user_id = :user_id) as "passkeys!"

-- name: findTotp
-- Returns an account's secret: in use, or waiting for its first code for at most :seconds s.
select encrypted_secret, confirmed_at is not null as "is_confirmed!"
from totp_secret
where user_id = :user_id and (confirmed_at is not null or created_at > now() - :seconds * interval '1 second')

-- name: removeTotp
-- Disables the second factor. No row if it was off.
with codes as (
  delete from recovery_code where user_id = :user_id
)
delete from totp_secret where user_id = :user_id and confirmed_at is not null returning user_id

-- name: replaceRecoveryCodes
-- Replaces all recovery codes. `hashes`: 32 bytes each.
with ended as (
  delete from recovery_code where user_id = :user_id
)
insert into recovery_code (user_id, code_hash)
select :user_id, code_hash from unnest(:hashes::bytea[]) as fresh (code_hash)

-- name: useRecoveryCode
-- Uses a recovery code up. Only one of several concurrent requests gets the row.
update recovery_code set used_at = now()
where user_id = :user_id and code_hash = :code_hash and used_at is null
returning user_id

-- name: useStep
-- Uses up the code of a 30-second step. Only one of several concurrent requests gets the row; an older or equal
-- step gets none.
update totp_secret set last_step = :step
where user_id = :user_id and confirmed_at is not null
  -- A step that lies further ahead was used before the clock went back.
  and (last_step < :step or last_step > :step + 2)
returning user_id
