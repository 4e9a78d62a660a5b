-- Returns the newest keys with their age in milliseconds.
select kid, public_key, digest, (extract(epoch from now() - checked_at) * 1000)::float8 as age_ms
from ebay_push_key
order by checked_at desc
limit 100
