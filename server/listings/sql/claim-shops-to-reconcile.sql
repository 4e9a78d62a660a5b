-- Takes shops whose listings were not compared for an hour; several workers take different ones.
update seller_account account set reconciled_at = now()
from (
  select user_id, uid from seller_account
  where status = 'connected' and platform = any(${platforms}::text[])
    and coalesce(reconciled_at, connected_at) < now() - interval '1 hour'
  order by reconciled_at nulls first
  limit ${limit}
  for update skip locked
) due
where account.user_id = due.user_id and account.uid = due.uid
returning account.user_id, account.uid as seller_account_uid, account.platform
