-- Has an order fetched again.
insert into order_event (user_id, platform, external_order_id, external_line_id, seller_account_uid)
values (${user_id}, ${platform}, ${external_order_id}, ${external_line_id}, ${seller_account_uid})
on conflict (user_id, platform, external_order_id, external_line_id, seller_account_uid) do update set
  times = order_event.times + 1, received_at = now(), handled_at = null, unknown = false, attempts = 0,
  next_attempt_at = now()
