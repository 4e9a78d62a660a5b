-- Stores the newest refresh token of a linked identity.
update social_link set encrypted_refresh_token = ${encrypted_refresh_token}
where user_id = ${user_id} and provider = ${provider} and subject = ${subject} and ended_at is null
