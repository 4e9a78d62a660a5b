-- Returns a page of a user's orders with their lines, newest first. Unpaid orders are left out, and sales in person
-- unless asked for.
with fitting as not materialized (
  select ordered.uid, ordered.platform, ordered.external_order_id, ordered.status, ordered.ordered_at, line.lines
  from marketplace_order ordered
  cross join lateral (
    select jsonb_agg(
      jsonb_build_object(
        'external_line_id', order_line.external_line_id, 'listing_id', order_line.listing_id, 'item_uid', order_line.item_uid,
        'price_minor', order_line.price_minor, 'currency', order_line.currency, 'state', order_line.state
      ) order by order_line.external_line_id
    ) as lines
    from order_line
    where order_line.user_id = ordered.user_id and order_line.order_uid = ordered.uid and order_line.state <> 'held'
  ) line
  where ordered.user_id = ${user_id} and (ordered.source = 'outside') = (${platform}::text is not distinct from 'outside') and ordered.status <> 'pending' and line.lines is not null
    and (${platform}::text is null or ordered.platform = ${platform})
    and (${status}::text is null or ordered.status = ${status})
    and (${before_at}::timestamptz is null or (ordered.ordered_at, ordered.uid) < (${before_at}::timestamptz, ${before_uid}))
)
-- One of the two conditions: an `or` would check the lines of each order.
(select * from fitting where ${state}::text is null order by ordered_at desc, uid desc limit ${limit})
union all
(
  select * from fitting
  where uid in (select order_uid from order_line where user_id = ${user_id} and state = ${state})
  order by ordered_at desc, uid desc
  limit ${limit}
)
