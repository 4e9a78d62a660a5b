-- Orders of a user, newest first, with their lines; what nobody has paid yet and what was sold in person is not among them.
select marketplace_order.uid, marketplace_order.platform, marketplace_order.external_order_id, marketplace_order.status,
  marketplace_order.ordered_at, line.lines
from marketplace_order
cross join lateral (
  select jsonb_agg(
    jsonb_build_object(
      'external_line_id', order_line.external_line_id, 'listing_id', order_line.listing_id, 'item_uid', order_line.item_uid,
      'price_minor', order_line.price_minor, 'currency', order_line.currency, 'state', order_line.state
    ) order by order_line.external_line_id
  ) as lines
  from order_line
  where order_line.user_id = marketplace_order.user_id and order_line.order_uid = marketplace_order.uid
    and order_line.state <> 'held'
) line
where marketplace_order.user_id = ${user_id} and marketplace_order.source <> 'outside'
  and marketplace_order.status <> 'pending' and line.lines is not null
  and (${platform}::text is null or marketplace_order.platform = ${platform})
  and (${status}::text is null or marketplace_order.status = ${status})
  and (${state}::text is null or line.lines @> jsonb_build_array(jsonb_build_object('state', ${state}::text)))
  and (
    ${before_at}::timestamptz is null
    or (marketplace_order.ordered_at, marketplace_order.uid) < (${before_at}::timestamptz, ${before_uid})
  )
order by marketplace_order.ordered_at desc, marketplace_order.uid desc
limit ${limit}
