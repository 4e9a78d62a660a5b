-- Says whether a task is to end the listing of an item that was sold on another marketplace, with nothing unclear about the
-- sale. An item that is held, withdrawn, marked as sold by the seller or perhaps still there is no such item.
create or replace function is_sold_elsewhere(task extension_task) returns boolean language sql stable as $$
  select task.kind = 'delist' and task.status = 'open' and task.cause not in ('user', 'bulk', 'mark_sold') and exists (
    select from sale
    join inventory_item item on item.user_id = sale.user_id and item.uid = sale.item_uid and item.state = 'sold'
    where sale.user_id = task.user_id and sale.item_uid = task.item_uid and not sale.cancelled
      and sale.platform not in ('outside', task.platform)
  ) and not exists (
    select from alert
    where alert.user_id = task.user_id and alert.state = 'open' and alert.kind in ('sale_refunded', 'sale_unclear')
      and alert.item_uid = task.item_uid
  )
$$;
