-- Uses a challenge up and clears its data. Only one of several concurrent requests gets the row.
update phone_challenge set used_at = now(), password_hash = null, email = null, first_name = '', last_name = ''
where token_hash = ${token_hash} and used_at is null
returning token_hash
