-- Returns the item of a seller account's listing, if any.
select item_uid
from channel_listing
where user_id = ${user_id} and seller_account_uid = ${seller_account_uid} and listing_id = ${listing_id}
