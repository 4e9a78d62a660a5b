-- Claims listings whose order was recorded or cancelled some seconds ago, to check whether they ended. Postpones them,
-- in case the worker dies.
with due as (
  select user_id, order_uid, external_line_id
  from order_line
  where check_listing_at <= now()
  order by check_listing_at
  limit ${count}
  for update skip locked
)
update order_line line set check_listing_at = now() + interval '2 minutes'
from due, marketplace_order
where line.user_id = due.user_id and line.order_uid = due.order_uid and line.external_line_id = due.external_line_id
  and marketplace_order.user_id = line.user_id and marketplace_order.uid = line.order_uid
returning line.user_id, line.order_uid, line.external_line_id, line.item_uid, line.listing_id, line.recorded_at,
  marketplace_order.platform, marketplace_order.seller_account_uid,
  (extract(epoch from now() - marketplace_order.updated_at) * 1000)::float8 as reported_ms_ago
