-- Returns the image of an original as it was turned; null if the account has none.
select uid, type, width, height, bytes, created_at, stored_at from image
where user_id = ${user_id} and original_hash = ${original_hash} and rotation = ${rotation}
