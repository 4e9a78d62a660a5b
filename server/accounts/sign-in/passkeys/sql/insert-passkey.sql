-- Inserts a passkey. No row if it is registered already.
insert into passkey (user_id, credential_id, public_key, counter, transports, name)
values (${user_id}, ${credential_id}, ${public_key}, ${counter}, ${transports}::text[], ${name})
on conflict (credential_id) do nothing
returning uid, name, created_at, last_used_at
