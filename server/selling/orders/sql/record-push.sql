-- Records that push notifications of a shop arrive. If one names no order, the whole shop is due now.
insert into order_sync (user_id, seller_account_uid, platform, last_push_at)
values (${user_id}, ${seller_account_uid}, ${platform}, now())
on conflict (user_id, seller_account_uid) do update set
  last_push_at = now(),
  next_read_at = case when ${read_now} then now() else order_sync.next_read_at end
