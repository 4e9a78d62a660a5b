-- How long it has been since a listing was put up by us, or became known to us.
select (extract(epoch from now() - created_at) * 1000)::float8 as known_ms
from channel_listing
where user_id = ${user_id} and seller_account_uid = ${seller_account_uid} and listing_id = ${listing_id}
