-- Returns an item with its price, and whether it is live or being published, and locks it until the transaction ends.
select item.uid, item.title, item.state, item.price_minor, item.currency, item.redirect_uid,
  exists (
    select from channel_listing live
    where live.user_id = item.user_id and live.item_uid = item.uid and live.state in ('available', 'reserved')
  ) or exists (
    select from listing_operation operation
    where operation.user_id = item.user_id and operation.item_uid = item.uid and operation.kind = 'list'
      and operation.state = 'open'
  ) as is_listed
from inventory_item item
where item.user_id = ${user_id} and item.uid = ${item_uid}
for no key update of item
