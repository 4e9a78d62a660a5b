-- Detaches a listing from its item.
delete from channel_listing
where user_id = ${user_id} and seller_account_uid = ${seller_account_uid} and listing_id = ${listing_id}
