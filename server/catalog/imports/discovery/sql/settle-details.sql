-- Records that a listing's details were read or are unavailable. `again`: they are due again in a day.
update channel_listing set details_due_at = case when ${again} then now() + interval '1 day' end
where user_id = ${user_id} and seller_account_uid = ${seller_account_uid} and listing_id = ${listing_id}
returning item_uid
