-- Returns a listing that is known or was reported as sold: its item, if any, and whether its sale is new for the item
-- that it was made for. It is new if nobody has that item, or the buyer of another listing has it. A sale that the
-- seller reported may be this very sale.
select known.item_uid, known.seller_account_uid, item.state <> 'sold' or exists (
    select from order_line claim
    join marketplace_order taker on taker.user_id = claim.user_id and taker.uid = claim.order_uid
      and taker.platform <> 'outside'
    where claim.user_id = item.user_id and claim.item_uid = item.uid and claim.state in ('held', 'sold')
      and claim.listing_id <> ${listing_id}
  ) as is_news
from inventory_item item
left join lateral (
  select listing.item_uid, listing.seller_account_uid, listing.state
  from seller_account shop
  join channel_listing listing on listing.user_id = shop.user_id and listing.seller_account_uid = shop.uid
    and listing.listing_id = ${listing_id}
  where shop.user_id = item.user_id and shop.platform = ${platform}
  order by listing.created_at
  limit 1
) known on true
where item.user_id = ${user_id} and item.uid = ${item_uid} and (
  known.state = 'sold' or known.item_uid is null and exists (
    select from sold_report report
    where report.user_id = item.user_id and report.platform = ${platform} and report.listing_id = ${listing_id}
  )
)
