-- Moves an item, if it is still as the decision saw it; the row count says so. `order_cancelled` permits a sold item
-- to move.
update inventory_item set state = ${to}, version = version + 1, updated_at = now()
where user_id = ${user_id} and uid = ${item_uid} and state = ${from} and version = ${version}
  and set_config('hapax.order_cancelled', case when ${order_cancelled}::boolean then 'on' else 'off' end, true) is not null
