-- Records that an order could not be fetched and when it is tried again.
update order_fetch_request set next_attempt_at = now() + ${after_seconds} * interval '1 second'
where user_id = ${user_id} and platform = ${platform} and external_order_id = ${external_order_id}
  and seller_account_uid = ${seller_account_uid} and handled_at is null
