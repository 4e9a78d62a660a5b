-- The prints of pictures that are known well enough.
select url_hash, hash
from photo_hash
where user_id = ${user_id} and url_hash = any(${hashes}::bytea[]) and (hash is not null or read_at > now() - interval '1 day')
