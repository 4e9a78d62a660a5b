-- Takes an item from its orders, to be recorded again for the item that it is merged into, and ends its sales. Returns
-- each line as its platform last reported it.
with released as (
  update order_line line set state = 'unmatched', item_uid = null, matched_by = null
  where line.user_id = ${user_id} and line.item_uid = ${item_uid} and line.state in ('held', 'sold')
  returning line.*
), ended as (
  update sale set cancelled = true, cancelled_at = now()
  where user_id = ${user_id} and item_uid = ${item_uid} and not cancelled
  returning order_uid, external_line_id
)
select ordered.uid as order_uid, ordered.platform, ordered.seller_account_uid, ordered.external_order_id, ordered.source, ordered.ordered_at,
  ordered.modified_at, line.external_line_id, line.listing_id, line.sku, line.quantity, line.price_minor, line.currency,
  line.status, ended.order_uid is not null as was_sold
from released line
join marketplace_order ordered on ordered.user_id = line.user_id and ordered.uid = line.order_uid
left join ended on ended.order_uid = line.order_uid and ended.external_line_id = line.external_line_id
