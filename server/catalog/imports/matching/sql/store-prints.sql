-- Keeps prints of pictures, or that there are none.
insert into photo_print (user_id, url_hash, print)
select ${user_id}, decode(row.hash, 'hex'), decode(row.print, 'hex')
from json_to_recordset(${rows}::json) as row (hash text, print text)
on conflict (user_id, url_hash) do update set print = excluded.print, read_at = now()
