-- Orders of a user, newest first, with their lines; what nobody has paid yet is not among them,
-- and what was sold in person only where it is asked for.
with fitting as not materialized (
  select told.uid, told.platform, told.external_order_id, told.status, told.ordered_at, line.lines
  from marketplace_order told
  cross join lateral (
    select jsonb_agg(
      jsonb_build_object(
        'external_line_id', order_line.external_line_id, 'listing_id', order_line.listing_id, 'item_uid', order_line.item_uid,
        'price_minor', order_line.price_minor, 'currency', order_line.currency, 'state', order_line.state
      ) order by order_line.external_line_id
    ) as lines
    from order_line
    where order_line.user_id = told.user_id and order_line.order_uid = told.uid and order_line.state <> 'held'
  ) line
  where told.user_id = ${user_id} and (told.source = 'outside') = (${platform}::text is not distinct from 'outside') and told.status <> 'pending' and line.lines is not null
    and (${platform}::text is null or told.platform = ${platform})
    and (${status}::text is null or told.status = ${status})
    and (${before_at}::timestamptz is null or (told.ordered_at, told.uid) < (${before_at}::timestamptz, ${before_uid}))
)
-- One of the two: an `or` with the state of the lines would be asked of each order, also where no line is in it.
(select * from fitting where ${state}::text is null order by ordered_at desc, uid desc limit ${limit})
union all
(
  select * from fitting
  where uid in (select order_uid from order_line where user_id = ${user_id} and state = ${state})
  order by ordered_at desc, uid desc
  limit ${limit}
)
