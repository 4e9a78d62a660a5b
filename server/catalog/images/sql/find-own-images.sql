-- Returns which of these images an account has.
select uid from image where user_id = ${user_id} and uid = any(${uids}::text[]) and stored_at is not null
