-- Returns the stored hashes of pictures. A picture that could not be read is left out after a day, so that it is tried
-- again.
select url_hash, hash
from photo_hash
where user_id = ${user_id} and url_hash = any(${hashes}::bytea[]) and (hash is not null or read_at > now() - interval '1 day')
