-- Returns a stored image of an account.
select uid, type, width, height, bytes, created_at, stored_at, original_hash, rotation from image
where user_id = ${user_id} and uid = ${uid} and stored_at is not null
