-- What the platform told of the shop's orders.
delete from order_event where user_id = ${user_id} and seller_account_uid = ${seller_account_uid}
