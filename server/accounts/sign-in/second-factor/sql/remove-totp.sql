-- Disables the second factor. No row if it was off.
with codes as (
  delete from recovery_code where user_id = ${user_id}
)
delete from totp_secret where user_id = ${user_id} and confirmed_at is not null returning user_id
