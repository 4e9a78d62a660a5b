-- Gives a live key a new value. The row's lock orders rotations, and the last one to commit stays.
update api_key set key_hash = ${key_hash}, last4 = ${last4}
where user_id = ${user_id} and id = ${id} and (expires_at is null or expires_at > now())
returning id, name, prefix, last4, scopes, created_at, last_used_at, expires_at
