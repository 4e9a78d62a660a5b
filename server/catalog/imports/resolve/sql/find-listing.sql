-- Whether a listing of a seller account has an item.
select item_uid
from channel_listing
where user_id = ${user_id} and seller_account_uid = ${seller_account_uid} and listing_id = ${listing_id}
