-- Dismisses the task to cancel an order. The task covers all lines, so it stays while another line was oversold.
update extension_task set status = 'dismissed', finished_at = now()
where user_id = ${user_id} and kind = 'cancel_order' and platform = ${platform} and listing_id = ${external_order_id}
  and status = 'open'
  and not exists (
    select from marketplace_order ordered
    join order_line line on line.user_id = ordered.user_id and line.order_uid = ordered.uid
    where ordered.user_id = ${user_id} and ordered.platform = ${platform} and ordered.external_order_id = ${external_order_id}
      and (line.state = 'oversell' or (line.state in ('held', 'sold') and line.quantity > 1))
  )
