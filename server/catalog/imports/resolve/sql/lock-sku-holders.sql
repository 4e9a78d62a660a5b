-- The items that an order of a listing with this SKU would be taken for (sales/sql/match-lines.sql), locked: such an order is
-- recorded, or begins after this.
select uid
from inventory_item
where user_id = ${user_id} and uid in (
  select item.uid from inventory_item item where item.user_id = ${user_id} and item.sku = ${sku}
  union all
  select operation.item_uid
  from listing_operation operation
  where operation.user_id = ${user_id} and operation.seller_account_uid = ${seller_account_uid} and operation.kind = 'list'
    and operation.external_key = ${sku}
)
order by uid
for update
