-- Ends the link of an identity. The row stays, so that no other account takes the identity.
update social_link set ended_at = now(), encrypted_refresh_token = null
where user_id = ${user_id} and provider = ${provider} and subject = ${subject} and ended_at is null
