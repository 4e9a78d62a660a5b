-- Returns shops that are not erased completely yet.
select user_id, uid as seller_account_uid, platform, erasing_for as message_id
from seller_account
where erasing_for is not null
order by uid
limit 20
