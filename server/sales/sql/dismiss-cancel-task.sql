-- The order that the seller was asked to cancel need not be cancelled any more.
update extension_task set status = 'dismissed', finished_at = now()
where user_id = ${user_id} and kind = 'cancel_order' and platform = ${platform} and listing_id = ${external_order_id}
  and item_uid = ${item_uid} and status = 'open'
