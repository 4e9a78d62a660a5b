-- From now on this is the database's key.
insert into secret_key (key_id, sealed_check, sealed_hash_key) values (${key_id}, ${sealed_check}, ${sealed_hash_key})
on conflict (key_id) do update set
  sealed_check = excluded.sealed_check, sealed_hash_key = excluded.sealed_hash_key, adopted_at = clock_timestamp()
