-- Stores the new price of a live listing.
update channel_listing set price_minor = ${price_minor}, currency = ${currency}, observed_at = now(), updated_at = now()
where user_id = ${user_id} and seller_account_uid = ${seller_account_uid} and listing_id = ${listing_id}
  and state in ('available', 'reserved')
