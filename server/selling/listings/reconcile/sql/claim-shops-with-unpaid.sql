-- Claims shops whose unpaid purchases were last read a minute ago. With many shops the interval is longer:
-- `seconds_per_shop` for each connected shop of the platform. Workers claim different shops.
update seller_account account set unpaid_read_at = now()
from (
  select seller_account.user_id, seller_account.uid
  from seller_account
  join (
    select given.platform, greatest(55, given.seconds * count(*)) * interval '1 second' as turn
    from unnest(${platforms}::text[], ${seconds_per_shop}::float8[]) as given (platform, seconds)
    join seller_account connected on connected.platform = given.platform and connected.status = 'connected'
    group by given.platform, given.seconds
  ) plan on plan.platform = seller_account.platform
  where seller_account.status = 'connected'
    and coalesce(seller_account.unpaid_read_at, '-infinity') < now() - plan.turn
  order by seller_account.unpaid_read_at nulls first
  limit ${limit}
  for update of seller_account skip locked
) due
where account.user_id = due.user_id and account.uid = due.uid
returning account.user_id, account.uid as seller_account_uid, account.platform
