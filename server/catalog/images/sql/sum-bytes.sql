-- Returns the bytes of an account's images.
select coalesce(sum(bytes), 0)::float8 as bytes from image where user_id = ${user_id}
