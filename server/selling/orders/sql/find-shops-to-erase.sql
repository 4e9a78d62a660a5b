-- Returns the shops of a platform's user, connected or not.
select user_id, uid as seller_account_uid, platform, status
from seller_account
where platform = ${platform} and (external_id = ${external_id} or external_name = ${external_name})
for update
