-- From now on this is the database's key.
insert into secret_key_check (sealed) values (${sealed})
on conflict (only_one) do update set sealed = excluded.sealed, made_at = now()
