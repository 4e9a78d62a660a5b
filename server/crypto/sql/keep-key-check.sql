-- The first key that a database is used with is its key.
insert into secret_key_check (sealed) values (${sealed}) on conflict (only_one) do nothing
