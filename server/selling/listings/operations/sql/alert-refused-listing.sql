-- Alerts the seller that an item is not listed although it was asked for. Not while the call that asked waits for the
-- answer, which names the error. A second failure changes the open alert.
insert into alert (user_id, uid, kind, item_uid, platform, reference, message, data)
select
  operation.user_id, ${uid}, 'listing_refused', operation.item_uid, operation.platform, operation.platform, ${message},
  jsonb_build_object(
    'operation_id', operation.id, 'seller_account_uid', operation.seller_account_uid,
    'platforms', jsonb_build_array(operation.platform), 'reason', ${reason}
  )
from listing_operation operation
join inventory_item item on item.user_id = operation.user_id and item.uid = operation.item_uid and item.state = 'available'
where operation.user_id = ${user_id} and operation.id = ${id} and operation.kind = 'list' and operation.cause = 'user'
  and (operation.cause_ref is not null or operation.created_at < now() - ${wait_ms} * interval '1 millisecond')
on conflict (user_id, kind, coalesce(item_uid, ''), reference) where state = 'open' do update set
  message = excluded.message, data = excluded.data
