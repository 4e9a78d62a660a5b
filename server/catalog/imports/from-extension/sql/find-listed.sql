-- Returns the items of these listings of a scraped platform. Searches all the user's shops, the named one first: a
-- listing made by form may be seen before its shop was ever imported. `news`: nobody has the item, or a buyer on another
-- platform has it. A sale that was taken back is no news until the page has changed.
select distinct on (listing.listing_id) listing.listing_id, listing.price_minor, listing.currency,
  shop.uid as seller_account_uid, shop.platform,
  (item.state <> 'sold' or exists (
    select
    from order_line line
    join marketplace_order holder on holder.user_id = line.user_id and holder.uid = line.order_uid
    where line.user_id = item.user_id and line.item_uid = item.uid and line.state = 'sold'
      and holder.platform not in ('outside', shop.platform)
  )) and not (listing.state = 'sold' and exists (
    select from marketplace_order own
    join order_line line on line.user_id = own.user_id and line.order_uid = own.uid
    where own.user_id = shop.user_id and own.platform = shop.platform and own.source = 'scraped'
      and own.external_order_id = 'listing-' || listing.listing_id and line.state = 'cancelled'
  )) as news
from seller_account shop
join channel_listing listing on listing.user_id = shop.user_id and listing.seller_account_uid = shop.uid
join inventory_item item on item.user_id = listing.user_id and item.uid = listing.item_uid
where shop.user_id = ${user_id} and shop.platform = ${platform} and listing.listing_id = any(${listing_ids}::text[])
order by listing.listing_id, shop.external_id = lower(${username}) desc
