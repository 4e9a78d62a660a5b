-- Returns those of these listings whose item another buyer has, while no buyer of the listing itself is known.
select listing.listing_id, listing.price_minor, listing.currency
from channel_listing listing
join inventory_item item on item.user_id = listing.user_id and item.uid = listing.item_uid and item.state = 'sold'
where listing.user_id = ${user_id} and listing.seller_account_uid = ${seller_account_uid}
  and listing.listing_id = any(${listing_ids}::text[])
  -- A sale that the seller reported may be this very sale.
  and exists (
    select from order_line claim
    join marketplace_order taker on taker.user_id = claim.user_id and taker.uid = claim.order_uid
      and taker.platform <> 'outside'
    where claim.user_id = item.user_id and claim.item_uid = item.uid and claim.state in ('held', 'sold')
      and claim.listing_id <> listing.listing_id
  )
  and not exists (
    select from order_line known
    join marketplace_order known_order on known_order.user_id = known.user_id and known_order.uid = known.order_uid
    where known.user_id = listing.user_id and known.item_uid = item.uid and known.listing_id = listing.listing_id
      and known_order.seller_account_uid = listing.seller_account_uid
  )
order by listing.listing_id
