-- Sets a listing's state as its order shows it.
update channel_listing set state = ${state}, updated_at = now()
where user_id = ${user_id} and seller_account_uid = ${seller_account_uid} and listing_id = ${listing_id}
  and state in ('available', 'reserved') and state <> ${state}
