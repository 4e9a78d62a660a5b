-- Inserts a key.
insert into api_key (user_id, id, name, key_hash, prefix, last4, scopes, expires_at)
values (${user_id}, ${id}, ${name}, ${key_hash}, ${prefix}, ${last4}, ${scopes}, ${expires_at})
returning id, name, prefix, last4, scopes, created_at, last_used_at, expires_at
