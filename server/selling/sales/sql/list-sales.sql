-- Returns the valid sales of a user, newest first, with the item, the state of its other listings, and the time of its
-- first listing.
select sold.sold_at, sold.id::text as id, sold.platform, sold.order_uid, sold.item_uid, item.title, item.images[1] as image,
  line.price_minor, line.currency, sold.fee_minor, sold.shipping_minor,
  coalesce(
    sold.cost_minor,
    -- The pattern protects from values that the API took before it knew the member.
    case when item.currency = line.currency and item.attributes ->> 'cost_minor' ~ '^[0-9]{1,12}$'
      then (item.attributes ->> 'cost_minor')::bigint end
  ) as cost_minor,
  others.listed_at, coalesce(others.ended_on, '{}') as ended_on, coalesce(others.live_on, '{}') as live_on
from sale sold
join order_line line on line.user_id = sold.user_id and line.order_uid = sold.order_uid
  and line.external_line_id = sold.external_line_id
left join inventory_item item on item.user_id = sold.user_id and item.uid = sold.item_uid
left join lateral (
  select
    array_agg(distinct listing.platform) filter (
      where listing.state = 'removed' and listing.updated_at >= sold.sold_at and other
    ) as ended_on,
    array_agg(distinct listing.platform) filter (where listing.state in ('available', 'reserved') and other) as live_on,
    min(coalesce(listing.listed_at, listing.for_sale_since, listing.created_at)) filter (
      where coalesce(listing.listed_at, listing.for_sale_since, listing.created_at) <= sold.sold_at
    ) as listed_at
  from channel_listing listing
  cross join lateral (
    select (listing.platform, listing.listing_id) is distinct from (sold.platform, line.listing_id) as other
  ) place
  where listing.user_id = sold.user_id and listing.item_uid = sold.item_uid
) others on true
where sold.user_id = ${user_id} and not sold.cancelled
  and (${id}::bigint is null or sold.id = ${id}::bigint)
  and (${platform}::text is null or sold.platform = ${platform})
  and (${from}::timestamptz is null or sold.sold_at >= ${from}::timestamptz)
  and (${to}::timestamptz is null or sold.sold_at < ${to}::timestamptz)
  and (${before_at}::timestamptz is null or (sold.sold_at, sold.id) < (${before_at}::timestamptz, ${before_id}::bigint))
order by sold.sold_at desc, sold.id desc
limit ${limit}
