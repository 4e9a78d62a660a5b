-- Records that a shop's orders were read up to the time at which the reading began. No row if another worker has the
-- lease.
update order_sync set
  read_until = greatest(read_until, ${started_at}),
  overlap_read_at = case when ${is_full} then ${started_at} else overlap_read_at end,
  last_success_at = now(),
  failures = 0,
  error_message = null,
  lease_until = null,
  next_read_at = case
    -- A reading was requested during this one.
    when next_read_at > ${started_at} and next_read_at <= now() then now()
    -- Up to 5 % more or less, so that shops that were due together drift apart.
    else now() + ${after_seconds} * (0.95 + mod(abs(hashtext(seller_account_uid || lease_epoch)::bigint), 1001) / 10000.0)
      * interval '1 second'
  end,
  last_order_at = greatest(last_order_at, ${newest_order_at}::timestamptz),
  last_missed_push_at = case when ${missed_push} then now() else last_missed_push_at end
where user_id = ${user_id} and seller_account_uid = ${seller_account_uid} and lease_epoch = ${lease_epoch}
