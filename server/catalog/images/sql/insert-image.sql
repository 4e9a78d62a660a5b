-- Inserts an image whose files are to be written. Does nothing if the account has the same original, turned the same way.
insert into image (user_id, uid, original_hash, rotation, type, width, height, bytes)
values (${user_id}, ${uid}, ${original_hash}, ${rotation}, ${type}, ${width}, ${height}, ${bytes})
on conflict (user_id, original_hash, rotation) do nothing
