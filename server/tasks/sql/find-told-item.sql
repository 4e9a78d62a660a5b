-- The other item that the seller told this listing of, when they completed its task, and that has it still.
select listing.item_uid
from seller_account shop
join channel_listing listing on listing.user_id = shop.user_id and listing.seller_account_uid = shop.uid
  and listing.listing_id = ${listing_id} and listing.item_uid <> ${item_uid}
  and listing.state in ('available', 'reserved')
where shop.user_id = ${user_id} and shop.platform = ${platform}
  and exists (
    select from extension_task told
    where told.user_id = listing.user_id and told.item_uid = listing.item_uid and told.platform = ${platform}
      and told.kind = 'list' and told.status = 'completed' and told.listing_id = ${listing_id}
  )
limit 1
