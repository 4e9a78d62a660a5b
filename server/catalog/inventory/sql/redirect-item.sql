-- Redirects a merged item to the one that it was merged into, and frees its SKU.
with forgotten as (
  delete from match_item where user_id = ${user_id} and item_uid = ${item_uid}
)
update inventory_item set redirect_uid = ${into_uid}, sku = null, updated_at = now()
where user_id = ${user_id} and uid = ${item_uid}
