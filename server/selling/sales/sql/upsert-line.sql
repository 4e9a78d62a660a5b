-- Stores the new state of a line.
insert into order_line (
  user_id, order_uid, external_line_id, listing_id, sku, quantity, price_minor, currency, item_uid, matched_by, status, state,
  modified_at, check_listing_at
)
values (
  ${user_id}, ${order_uid}, ${external_line_id}, ${listing_id}, ${sku}, ${quantity}, ${price_minor}, ${currency}, ${item_uid},
  ${matched_by}, ${status}, ${state}, ${modified_at}, now() + ${check_listing_seconds} * interval '1 second'
)
on conflict (user_id, order_uid, external_line_id) do update set
  item_uid = excluded.item_uid, matched_by = excluded.matched_by, status = excluded.status, state = excluded.state,
  modified_at = excluded.modified_at,
  check_listing_at = coalesce(excluded.check_listing_at, order_line.check_listing_at)
