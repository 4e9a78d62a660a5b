-- Stores hashes of pictures, null for pictures that could not be read.
insert into photo_hash (user_id, url_hash, hash)
select ${user_id}, decode(row.url_hash, 'hex'), decode(row.hash, 'hex')
from json_to_recordset(${rows}::json) as row (url_hash text, hash text)
on conflict (user_id, url_hash) do update set hash = excluded.hash, read_at = now()
