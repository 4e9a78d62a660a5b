-- Returns the live listing of an item on a platform that nothing ends yet, with what it was listed with. `options` is null
-- for a listing that Hapax did not publish.
select listing.seller_account_uid, listing.price_minor, listing.currency, item.title, made.options
from channel_listing listing
join inventory_item item on item.user_id = listing.user_id and item.uid = listing.item_uid
left join lateral (
  select operation.options
  from listing_operation operation
  where operation.user_id = listing.user_id and operation.item_uid = listing.item_uid and operation.kind = 'list'
    and operation.seller_account_uid = listing.seller_account_uid and operation.listing_id = listing.listing_id
  order by operation.created_at desc
  limit 1
) made on true
where listing.user_id = ${user_id} and listing.item_uid = ${item_uid} and listing.platform = ${platform}
  and listing.state = 'available'
  and not exists (
    select from listing_operation operation
    where operation.user_id = listing.user_id and operation.seller_account_uid = listing.seller_account_uid
      and operation.listing_id = listing.listing_id and operation.kind = 'delist' and operation.state = 'open'
  )
  and not exists (
    select from extension_task task
    where task.user_id = listing.user_id and task.platform = listing.platform and task.listing_id = listing.listing_id
      and task.kind = 'delist' and task.status = 'open'
  )
order by listing.extra, listing.created_at
limit 1
