-- Which of these listings of a seller account have an item already, and what that item says.
select listing.listing_id, listing.price_minor, listing.currency, item.uid, item.title, item.state, item.images,
  md5(item.description) as description_md5
from channel_listing listing
join inventory_item item on item.user_id = listing.user_id and item.uid = listing.item_uid
where listing.user_id = ${user_id} and listing.seller_account_uid = ${seller_account_uid}
  and listing.listing_id = any(${listing_ids}::text[])
