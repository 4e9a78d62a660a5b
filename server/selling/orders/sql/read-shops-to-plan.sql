-- Returns what planning needs to know of each connected shop of a platform.
select sync.user_id || '/' || sync.seller_account_uid as key,
  coalesce(recent.orders, 0)::integer as "ordersLastWeek",
  coalesce(
    sync.last_push_at > now() - interval '7 days' and sync.last_push_at > coalesce(sync.last_missed_push_at, '-infinity'),
    false
  ) as "pushesWork"
from order_sync sync
join seller_account account on account.user_id = sync.user_id and account.uid = sync.seller_account_uid
left join lateral (
  select count(*) as orders
  from marketplace_order
  where marketplace_order.user_id = sync.user_id and marketplace_order.seller_account_uid = sync.seller_account_uid
    and marketplace_order.ordered_at > now() - interval '7 days'
) recent on true
where sync.platform = ${platform} and account.status = 'connected'
