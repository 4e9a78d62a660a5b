-- name: deletePushKey
-- Deletes a key that eBay no longer knows.
delete from ebay_push_key where kid = :kid

-- name: readPushKeys
-- Returns the newest keys with their age in milliseconds.
select kid, public_key, digest, (extract(epoch from now() - checked_at) * 1000)::float8 as "age_ms!"
from ebay_push_key
order by checked_at desc
limit 100

-- name: storePushKey
-- Stores a key that was just fetched.
insert into ebay_push_key (kid, public_key, digest)
values (:kid, :public_key, :digest)
on conflict (kid) do update set public_key = excluded.public_key, digest = excluded.digest, checked_at = now()
