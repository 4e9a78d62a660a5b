-- Records that the shop's listings or orders were just read.
update seller_account set last_synced_at = now(), last_seen_at = now(), last_checked_at = now()
where user_id = ${user_id} and uid = ${seller_account_uid} and status = 'connected'
