-- Like find-access, but locks the row, so that one refresh runs at a time over all processes.
select account.uid as seller_account_uid, account.user_id, account.platform, account.external_id, account.external_name,
  account.url, account.status, account.token_epoch, account.encrypted_access_token, account.encrypted_refresh_token,
  coalesce(account.access_expires_at <= now() + interval '5 minutes', true) as is_stale,
  coalesce(account.access_expires_at <= now(), true) as is_expired
from seller_account account
join app_user on app_user.id = account.user_id
where account.user_id = ${user_id} and account.uid = ${seller_account_uid} and app_user.state = 'active'
for update of account
