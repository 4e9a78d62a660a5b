-- Records that nothing is left of a shop to erase.
update seller_account set erasing_for = null where user_id = ${user_id} and uid = ${seller_account_uid}
