-- Returns the first use of an Idempotency-Key.
select request_hash, status, reply from idempotent_call where user_id = ${user_id} and key = ${key}
