-- Records that a listing is on offer, even if an order had reserved it.
update channel_listing set state = 'available', observed_at = now(), updated_at = now()
where user_id = ${user_id} and seller_account_uid = ${seller_account_uid} and listing_id = ${listing_id}
  and state <> 'available'
returning url
