-- Orders keep what was sold and for how much, under a name that says nothing there.
update marketplace_order set external_order_id = 'erased-' || uid
where user_id = ${user_id} and seller_account_uid = ${seller_account_uid}
