-- Queues the end of a listing that a worker published for an operation that had ended meanwhile. Not for a closed
-- account, whose shops are disconnected.
insert into listing_operation (
  user_id, kind, item_uid, platform, seller_account_uid, listing_id, listing_url, external_key, cause, cause_ref, priority,
  traceparent
)
select operation.user_id, 'delist', operation.item_uid, operation.platform, operation.seller_account_uid, ${listing_id}, ${url},
  operation.external_key, 'compensation', operation.id::text, ${priority}, operation.traceparent
from listing_operation operation
join app_user on app_user.id = operation.user_id and app_user.state = 'active'
where operation.user_id = ${user_id} and operation.id = ${id} and operation.state <> 'open'
  and (operation.state <> 'done' or operation.listing_id is distinct from ${listing_id})
on conflict (user_id, seller_account_uid, listing_id) where kind = 'delist' and state = 'open' do nothing
