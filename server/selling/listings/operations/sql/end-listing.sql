-- Records that a listing is no longer live.
update channel_listing set state = ${state}, extra = false, observed_at = now(), updated_at = now()
where user_id = ${user_id} and seller_account_uid = ${seller_account_uid} and listing_id = ${listing_id}
  and state in ('available', 'reserved')
