-- Returns the live listing of an item on a platform, and how long it has been known.
select seller_account_uid, listing_id, url, state, price_minor, currency,
  (extract(epoch from now() - created_at) * 1000)::float8 as known_ms
from channel_listing
where user_id = ${user_id} and item_uid = ${item_uid} and platform = ${platform} and state in ('available', 'reserved')
order by extra, created_at
limit 1
