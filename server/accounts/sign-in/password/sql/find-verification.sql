-- Returns when the holder of a session last proved their identity. No row if it has ended.
select verified_at from bearer_token where user_id = ${user_id} and token_hash = ${token_hash}
