-- Deletes and returns a challenge. Only one of several concurrent requests gets it.
delete from passkey_challenge
where token_hash = ${token_hash} and purpose = ${purpose} and user_id is not distinct from ${user_id} and expires_at > now()
returning challenge
