-- Stores a key that was just fetched.
insert into ebay_push_key (kid, public_key, digest)
values (${kid}, ${public_key}, ${digest})
on conflict (kid) do update set public_key = excluded.public_key, digest = excluded.digest, checked_at = now()
