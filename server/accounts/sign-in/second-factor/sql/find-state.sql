-- Returns the second factors that a sign-in to an account requires.
select
  (select confirmed_at from totp_secret where user_id = ${user_id}) as totp_confirmed_at,
  (select count(*)::integer from recovery_code where user_id = ${user_id} and used_at is null) as recovery_codes_left,
  (select count(*)::integer from passkey where user_id = ${user_id}) as passkeys
