-- Returns the keys of this database, newest first.
select key_id, encrypted_check, encrypted_hash_key from secret_key order by adopted_at desc
