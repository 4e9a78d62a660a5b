-- Returns the live listing of an item on a platform. Not one that is being ended, nor one reserved by an order that no
-- longer holds the item.
select listing.listing_id, listing.url
from channel_listing listing
where listing.user_id = ${user_id} and listing.item_uid = ${item_uid} and listing.platform = ${platform}
  and listing.state = 'available'
  and not exists (
    select from listing_operation operation
    where operation.user_id = listing.user_id and operation.seller_account_uid = listing.seller_account_uid
      and operation.listing_id = listing.listing_id and operation.kind = 'delist' and operation.state = 'open'
  )
order by listing.extra, listing.created_at
limit 1
