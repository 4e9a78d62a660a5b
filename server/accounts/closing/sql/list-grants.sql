-- Returns Apple's grants for an account that is being closed.
select subject, encrypted_refresh_token from social_link
where user_id = ${user_id} and provider = 'apple' and encrypted_refresh_token is not null and ended_at is null
