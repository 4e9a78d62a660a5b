-- Uses a recovery code up. Only one of several concurrent requests gets the row.
update recovery_code set used_at = now()
where user_id = ${user_id} and code_hash = ${code_hash} and used_at is null
returning user_id
