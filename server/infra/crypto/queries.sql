-- name: adoptKey
-- Makes a key the database's key.
insert into secret_key (key_id, encrypted_check, encrypted_hash_key) values (:key_id, :encrypted_check, :encrypted_hash_key)
on conflict (key_id) do update set
  encrypted_check = excluded.encrypted_check, encrypted_hash_key = excluded.encrypted_hash_key, adopted_at = clock_timestamp()

-- name: listKeys
-- Returns the keys of this database, newest first.
select key_id, encrypted_check, encrypted_hash_key from secret_key order by adopted_at desc
