-- Returns a listing of an item as a sale to record: the item is not sold, or somebody else has it, and no order of
-- this listing is known.
select listing.price_minor, listing.currency
from channel_listing listing
join inventory_item item on item.user_id = listing.user_id and item.uid = listing.item_uid
where listing.user_id = ${user_id} and listing.seller_account_uid = ${seller_account_uid}
  and listing.listing_id = ${listing_id} and listing.item_uid = ${item_uid}
  and (
    item.state <> 'sold' or exists (
      select from order_line claim
      join marketplace_order taker on taker.user_id = claim.user_id and taker.uid = claim.order_uid
        and taker.platform <> 'outside'
      where claim.user_id = item.user_id and claim.item_uid = item.uid and claim.state in ('held', 'sold')
    )
  )
  and not exists (
    select from order_line known
    join marketplace_order known_order on known_order.user_id = known.user_id and known_order.uid = known.order_uid
    where known.user_id = listing.user_id and known.item_uid = item.uid and known.listing_id = listing.listing_id
      and known_order.seller_account_uid = listing.seller_account_uid and known.state <> 'cancelled'
  )
