-- Returns a page of a user's alerts in one state, the most urgent first and of those the oldest, with the columns of the
-- seller's list. Cuts the page before any join.
with page as materialized (
  select *
  from alert
  where user_id = ${user_id} and state = ${state} and (${uid}::text is null or uid = ${uid})
    and (
      ${before_at}::timestamptz is null
      or urgency < ${before_urgency}
      or urgency = ${before_urgency} and (created_at, uid) > (${before_at}::timestamptz, ${before_uid})
    )
  order by urgency desc, created_at, uid
  limit ${limit}
)
select alert.uid, alert.kind, alert.state, alert.message, alert.platform, alert.item_uid, alert.data, alert.created_at,
  alert.urgency, item.title, item.images[1] as image, item.price_minor, item.currency,
  shop.uid as seller_account_uid, shop.external_name as shop_name, shop.status as shop_status,
  sync.last_success_at as orders_read_at, sync.failures as order_failures, sync.next_read_at as orders_next_at,
  sync.error_message as order_error,
  operation.state as operation_state, operation.attempts, operation.next_attempt_at, operation.error_message as operation_error,
  operation.created_at as operation_since,
  coalesce(operation.lease_until > now() or operation.next_attempt_at <= now(), false) as is_trying,
  sold.platform as sold_on, sold.sold_at, task.uid as task_uid
from page alert
left join inventory_item item on item.user_id = alert.user_id and item.uid = alert.item_uid
left join listing_operation operation on operation.user_id = alert.user_id
  and alert.kind in ('delist_overdue', 'listing_refused')
  and operation.id = (alert.data ->> 'operation_id')::uuid
left join lateral (
  select uid, external_name, status
  from seller_account
  where user_id = alert.user_id and uid = case
      when alert.kind in ('connection_lost', 'orders_unread') then alert.reference
      when alert.kind in ('update_refused', 'listing_refused') then alert.data ->> 'seller_account_uid'
      else coalesce(operation.seller_account_uid, alert.data ->> 'seller_account_uid')
    end
  limit 1
) shop on true
left join order_sync sync on alert.kind = 'orders_unread' and sync.user_id = alert.user_id
  and sync.seller_account_uid = alert.reference
left join sale sold on sold.user_id = alert.user_id and sold.item_uid = alert.item_uid and not sold.cancelled
left join lateral (
  select uid
  from extension_task
  where user_id = alert.user_id and platform = alert.platform and status = 'open'
    and kind = case when alert.kind = 'delist_overdue' then 'delist' else 'cancel_order' end
    and listing_id = alert.data ->> case when alert.kind = 'delist_overdue' then 'listing_id' else 'external_order_id' end
  limit 1
) task on true
order by alert.urgency desc, alert.created_at, alert.uid
