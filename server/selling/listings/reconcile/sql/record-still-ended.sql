-- Records that a listing was checked and is still ended, so that it is checked last the next time.
update channel_listing set observed_at = now()
where user_id = ${user_id} and seller_account_uid = ${seller_account_uid} and listing_id = ${listing_id}
