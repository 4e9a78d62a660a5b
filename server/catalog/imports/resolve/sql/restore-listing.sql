-- Gives a listing what was known of it before.
update channel_listing listing set
  url = was.url, state = was.state, extra = was.extra, sku = was.sku, price_minor = was.price_minor,
  currency = was.currency, updated_at = now()
from jsonb_populate_record(null::channel_listing, ${listing:json}::jsonb) was
where listing.user_id = ${user_id} and listing.seller_account_uid = ${seller_account_uid}
  and listing.listing_id = ${listing_id}
