-- Records that a marketplace reported changed listings of a shop.
update seller_account set listings_changed_at = now()
where user_id = ${user_id} and uid = ${seller_account_uid}
