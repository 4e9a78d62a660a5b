-- Requests that an order is fetched, again if it was before.
insert into order_fetch_request (user_id, platform, external_order_id, external_line_id, seller_account_uid, traceparent)
values (${user_id}, ${platform}, ${external_order_id}, ${external_line_id}, ${seller_account_uid},
  ${traceparent})
on conflict (user_id, platform, external_order_id, external_line_id, seller_account_uid) do update set
  times = order_fetch_request.times + 1, received_at = now(), handled_at = null, unknown = false, attempts = 0,
  next_attempt_at = now(), traceparent = excluded.traceparent
