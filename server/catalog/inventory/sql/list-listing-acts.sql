-- Returns what was done on platforms with an item's listings, newest first, each with the item's version and state at that time.
select at_that_time.version, operation.finished_at as at, operation.kind, operation.platform, operation.price_minor,
  operation.currency, operation.cause, at_that_time.to_state as state
from listing_operation operation
join lateral (
  select version, to_state
  from inventory_history
  where user_id = operation.user_id and item_uid = operation.item_uid and at <= operation.finished_at
  order by version desc
  limit 1
) at_that_time on true
where operation.user_id = ${user_id} and operation.item_uid = ${uid} and operation.state = 'done'
  and (${before_version}::integer is null or at_that_time.version < ${before_version})
order by operation.finished_at desc
limit 1000
