-- Claims shops whose listings were last compared an hour ago, or as long ago as all connected shops of their platform
-- take at `seconds_per_shop`. A shop with reported changes is due after five minutes. Workers claim different shops.
update seller_account account set reconciled_at = now()
from (
  select seller_account.user_id, seller_account.uid
  from seller_account
  join (
    select given.platform, greatest(3600, given.seconds * count(*)) * interval '1 second' as turn
    from unnest(${platforms}::text[], ${seconds_per_shop}::float8[]) as given (platform, seconds)
    join seller_account connected on connected.platform = given.platform and connected.status = 'connected'
    group by given.platform, given.seconds
  ) plan on plan.platform = seller_account.platform
  where seller_account.status = 'connected'
    and (
      coalesce(seller_account.reconciled_at, seller_account.connected_at) < now() - plan.turn
      or seller_account.listings_changed_at > coalesce(seller_account.reconciled_at, '-infinity')
        and coalesce(seller_account.reconciled_at, '-infinity') < now() - interval '5 minutes'
    )
  order by seller_account.reconciled_at nulls first
  limit ${limit}
  for update of seller_account skip locked
) due
where account.user_id = due.user_id and account.uid = due.uid
returning account.user_id, account.uid as seller_account_uid, account.platform
