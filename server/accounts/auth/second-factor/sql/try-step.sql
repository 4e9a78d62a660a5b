-- Counts a try of the second step before it is looked at; no row when there is none left, or nothing to try.
update signin_step set tries = tries + 1
where token_hash = ${token_hash} and used_at is null and expires_at > now() and tries < ${max_tries}
returning user_id
