-- Locks the items that an order with this SKU would be matched to (sales/sql/match-lines.sql): such an order is
-- recorded already, or waits for this transaction.
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
