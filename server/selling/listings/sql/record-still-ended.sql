-- A listing was looked at, and is down as we hold it: it is the last to be looked at again.
update channel_listing set observed_at = now()
where user_id = ${user_id} and seller_account_uid = ${seller_account_uid} and listing_id = ${listing_id}
