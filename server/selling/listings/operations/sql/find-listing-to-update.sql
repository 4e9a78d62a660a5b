-- Returns the live listing that was being published when its update was requested, and our key of it.
select listing.listing_id, made.external_key
from channel_listing listing
left join lateral (
  select operation.external_key
  from listing_operation operation
  where operation.user_id = listing.user_id and operation.item_uid = listing.item_uid and operation.kind = 'list'
    and operation.seller_account_uid = listing.seller_account_uid and operation.listing_id = listing.listing_id
  order by operation.created_at desc
  limit 1
) made on true
where listing.user_id = ${user_id} and listing.item_uid = ${item_uid}
  and listing.seller_account_uid = ${seller_account_uid} and listing.state in ('available', 'reserved')
order by listing.extra, listing.created_at desc
limit 1
