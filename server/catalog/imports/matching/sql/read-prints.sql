-- The prints of pictures that are known well enough.
select url_hash, print
from photo_print
where user_id = ${user_id} and url_hash = any(${hashes}::bytea[]) and (print is not null or read_at > now() - interval '1 day')
