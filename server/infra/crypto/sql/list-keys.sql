-- The keys of this database, the newest first.
select key_id, encrypted_check, encrypted_hash_key from secret_key order by adopted_at desc
