-- Enables the second factor, and marks the given code as used.
update totp_secret set confirmed_at = now(), last_step = ${step} where user_id = ${user_id} and confirmed_at is null
returning user_id
