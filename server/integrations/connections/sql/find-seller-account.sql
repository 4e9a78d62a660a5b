-- Locks a shop of its own account and returns its tokens.
select user_id, uid as seller_account_uid, platform, status, encrypted_access_token, encrypted_refresh_token
from seller_account
where user_id = ${user_id} and uid = ${seller_account_uid}
for update
