-- Records that a reading failed and when it is tried again.
update order_sync set
  failures = failures + 1,
  error_message = ${error_message},
  lease_until = null,
  next_read_at = now() + ${after_seconds} * interval '1 second'
where user_id = ${user_id} and seller_account_uid = ${seller_account_uid} and lease_epoch = ${lease_epoch}
