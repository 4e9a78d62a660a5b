-- The listing of an item on a platform that is live and stays so: not one that is being taken down, nor one that an order
-- held which the item is no longer held by.
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
