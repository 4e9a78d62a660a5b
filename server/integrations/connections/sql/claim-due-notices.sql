-- Claims eBay shops whose sale notices were not checked for a day. Concurrent workers claim different ones.
update seller_account account set notices_checked_at = now()
from (
  select user_id, uid from seller_account
  where platform = 'ebay' and status = 'connected'
    and (notices_checked_at is null or notices_checked_at < now() - interval '1 day')
  order by notices_checked_at nulls first
  limit ${limit}
  for update skip locked
) due
where account.user_id = due.user_id and account.uid = due.uid
returning account.user_id, account.uid as seller_account_uid
