-- Returns differences with their listings and items, and locks the items and the differences until the transaction ends.
select difference.uid, difference.field, difference.theirs, difference.theirs_hash, difference.state,
  difference.seller_account_uid, difference.listing_id, listing.platform, listing.state as listing_state,
  listing.price_minor as listing_price_minor, listing.currency as listing_currency, item.uid as item_uid, item.title,
  item.description, coalesce(copy.sources, item.images) as sources, item.images, item.price_minor, item.currency,
  item.state as item_state, item.version
from listing_difference difference
join channel_listing listing on listing.user_id = difference.user_id
  and listing.seller_account_uid = difference.seller_account_uid and listing.listing_id = difference.listing_id
join inventory_item item on item.user_id = listing.user_id and item.uid = listing.item_uid
left join image_copy copy on copy.user_id = item.user_id and copy.item_uid = item.uid and copy.copies = item.images
where difference.user_id = ${user_id} and difference.uid = any(${uids}::text[]) and difference.state <> 'same'
order by item.uid, difference.uid
for no key update of item, difference
