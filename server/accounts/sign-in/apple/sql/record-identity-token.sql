-- Records the use of an identity token until it has expired by any clock. No row at the second use.
insert into used_identity_token (token_hash, expires_at)
values (${token_hash}, ${expires_at}::timestamptz + interval '5 minutes')
on conflict (token_hash) do nothing
returning token_hash
