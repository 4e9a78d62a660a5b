-- Returns what was done on platforms with an item's listings, and later orders for it, newest first, each with the item's
-- version and state at that time.
select at_that_time.version, act.at, act.kind, act.platform, act.fields, act.price_minor, act.currency,
  act.cause, act.external_order_id, at_that_time.to_state as state
from (
  select finished_at as at, kind, platform, fields, price_minor, currency, cause, null as external_order_id
  from listing_operation
  where user_id = ${user_id} and item_uid = ${uid} and state = 'done'
  union all
  select line.recorded_at, 'oversell', sold.platform, null, null, null, 'sale', sold.external_order_id
  from order_line line
  join marketplace_order sold on sold.user_id = line.user_id and sold.uid = line.order_uid
  where line.user_id = ${user_id} and line.item_uid = ${uid} and line.state = 'oversell' and sold.platform <> 'outside'
) act
join lateral (
  select version, to_state
  from inventory_history
  where user_id = ${user_id} and item_uid = ${uid} and at <= act.at
  order by version desc
  limit 1
) at_that_time on true
where ${before_version}::integer is null or at_that_time.version < ${before_version}
order by act.at desc
limit 1000
