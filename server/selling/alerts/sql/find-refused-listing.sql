-- Returns what the failed listing of an open alert was asked for with. The reference of the next one says that no call
-- waits for its answer.
select operation.platform, operation.seller_account_uid, operation.price_minor, operation.options,
  coalesce(operation.cause_ref, alert.uid) as cause_ref
from alert
join listing_operation operation on operation.user_id = alert.user_id
  and operation.id = (alert.data ->> 'operation_id')::uuid and operation.state <> 'open'
join inventory_item item on item.user_id = operation.user_id and item.uid = operation.item_uid
  and item.currency = operation.currency
where alert.user_id = ${user_id} and alert.uid = ${uid} and alert.kind = 'listing_refused' and alert.state = 'open'
