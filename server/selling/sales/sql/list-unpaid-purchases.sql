-- Returns listings of a shop that hold their item because they were seen as sold without an order, with their price.
select line.listing_id, line.price_minor, line.currency
from marketplace_order seen
join order_line line on line.user_id = seen.user_id and line.order_uid = seen.uid
where seen.user_id = ${user_id} and seen.seller_account_uid = ${seller_account_uid} and seen.source = 'scraped'
  and seen.status = 'pending' and line.state = 'held'
order by line.listing_id
