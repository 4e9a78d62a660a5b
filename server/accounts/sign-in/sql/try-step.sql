-- Counts an attempt at the second step before it is checked. No row if none is left, or there is no such step.
update signin_step set tries = tries + 1
where token_hash = ${token_hash} and used_at is null and expires_at > now() and tries < ${max_tries}
returning user_id
