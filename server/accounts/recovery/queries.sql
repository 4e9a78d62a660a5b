-- name: findResetLink
-- Returns whether an account has a reset link that stays valid for a while, and whether it has signed in from this
-- network before.
select exists (
  select from mailbox_token token
  where token.user_id = :user_id and token.purpose = 'reset' and token.used_at is null
    and token.expires_at > now() + :for_seconds * interval '1 second'
) as "has_link!", exists (
  select from known_network known where known.user_id = :user_id and known.network = :network
) as "is_known_network!"

-- name: findUserByEmail
-- Returns the account of an e-mail address, whatever its state: the caller decides what is allowed.
select id, username, email as "email!", email_verified, secured_at is not null as "is_secured!", password_hash, state
from app_user where email = :email
