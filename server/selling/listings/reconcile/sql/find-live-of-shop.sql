-- Returns those of a shop's listings that are live here and have no open operation.
select listing.listing_id, listing.item_uid, listing.url, listing.price_minor, listing.currency,
  listing.state = 'reserved' and item.state in ('available', 'withdrawn') as is_left_over
from channel_listing listing
join inventory_item item on item.user_id = listing.user_id and item.uid = listing.item_uid
where listing.user_id = ${user_id} and listing.seller_account_uid = ${seller_account_uid}
  and listing.listing_id = any(${listing_ids}::text[]) and listing.state in ('available', 'reserved')
  and not exists (
    select from listing_operation operation
    where operation.user_id = listing.user_id and operation.item_uid = listing.item_uid and operation.state = 'open'
      and operation.seller_account_uid = listing.seller_account_uid
  )
order by listing.listing_id
