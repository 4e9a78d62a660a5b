-- The listing of an item on a platform that is live and stays so: not one that is being taken down, nor one that an order
-- held which the item is no longer held by.
select listing.listing_id, listing.url
from channel_listing listing
where listing.user_id = ${user_id} and listing.item_uid = ${item_uid} and listing.platform = ${platform}
  and listing.state = 'available'
  and not exists (
    select from listing_intent intent
    where intent.user_id = listing.user_id and intent.seller_account_uid = listing.seller_account_uid
      and intent.listing_id = listing.listing_id and intent.kind = 'delist' and intent.state = 'open'
  )
order by listing.extra, listing.created_at
limit 1
