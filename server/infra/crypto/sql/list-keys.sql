-- The keys of this database, the newest first.
select key_id, sealed_check, sealed_hash_key from secret_key order by adopted_at desc
