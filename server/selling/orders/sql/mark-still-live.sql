-- Sets a listing that sold its item to live if the platform still offers it and the item is not for sale.
update channel_listing listing set state = 'available', extra = true, updated_at = now()
from inventory_item item
where listing.user_id = ${user_id} and listing.seller_account_uid = ${seller_account_uid}
  and listing.listing_id = ${listing_id}
  and item.user_id = listing.user_id and item.uid = listing.item_uid and item.state in ('sold', 'reserved')
returning listing.url
