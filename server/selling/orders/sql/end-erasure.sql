-- Nothing is left of the shop to be erased.
update seller_account set erasing_for = null where user_id = ${user_id} and uid = ${seller_account_uid}
