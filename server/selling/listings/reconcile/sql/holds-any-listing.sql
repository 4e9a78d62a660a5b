-- Returns a row if any listing of a shop is known.
select true as is_there
from channel_listing
where user_id = ${user_id} and seller_account_uid = ${seller_account_uid}
limit 1
