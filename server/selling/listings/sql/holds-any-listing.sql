-- Whether we know of any listing of a shop.
select true as is_there
from channel_listing
where user_id = ${user_id} and seller_account_uid = ${seller_account_uid}
limit 1
