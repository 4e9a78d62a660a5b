-- Records that an order was fetched. A push notification that came after the fetch keeps its request open.
update order_fetch_request set handled_at = now(), unknown = ${unknown}
where user_id = ${user_id} and platform = ${platform} and external_order_id = ${external_order_id}
  and seller_account_uid = ${seller_account_uid} and received_at <= ${claimed_at}
