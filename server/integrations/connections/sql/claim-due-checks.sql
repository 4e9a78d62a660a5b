-- Claims connections that were unused for a day, or that have waited for their seller for an hour while their tokens
-- may still be valid. Concurrent workers claim different ones.
update seller_account account set last_checked_at = now()
from (
  select user_id, uid from seller_account
  where status <> 'revoked' and encrypted_refresh_token is not null
    and (
      last_checked_at is null
      or last_checked_at < now() - interval '1 day'
      or status = 'reconnect_required' and last_checked_at < now() - interval '1 hour'
    )
  order by last_checked_at nulls first
  limit ${limit}
  for update skip locked
) due
where account.user_id = due.user_id and account.uid = due.uid
returning account.user_id, account.uid as seller_account_uid, account.platform
