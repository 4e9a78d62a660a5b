-- Returns orders of paid lines without an item whose listing or SKU has one by now, by the rules of match-lines.sql.
-- Lines recorded within the hour are checked each time, older ones once an hour, in the minute in which they were
-- recorded: sellers have ever more orders of items that Hapax will never know.
with checked as (
  select user_id, order_uid, listing_id, sku, status from order_line
  where state = 'unmatched' and recorded_at > now() - interval '1 hour'
  union all
  select user_id, order_uid, listing_id, sku, status from order_line
  where state = 'unmatched' and recorded_at <= now() - interval '1 hour'
    and extract(minute from recorded_at at time zone 'utc') = extract(minute from now() at time zone 'utc')
),
line as materialized (
  select checked.user_id, checked.listing_id, checked.sku, ordered.platform, ordered.seller_account_uid,
    ordered.external_order_id, ordered.ordered_at
  from checked
  cross join lateral (
    select * from marketplace_order
    where marketplace_order.user_id = checked.user_id and marketplace_order.uid = checked.order_uid
    limit 1
  ) ordered
  where checked.status <> 'cancelled' and ordered.source = 'platform'
),
found as materialized (
  select line.*, coalesce(
    (
      select listing.item_uid
      from channel_listing listing
      where listing.user_id = line.user_id and listing.seller_account_uid = line.seller_account_uid
        and listing.listing_id = line.listing_id
    ),
    (
      select operation.item_uid
      from listing_operation operation
      join inventory_item kept on kept.user_id = operation.user_id and kept.uid = operation.item_uid
      where operation.user_id = line.user_id and operation.seller_account_uid = line.seller_account_uid
        and operation.kind = 'list' and operation.external_key = line.sku
      limit 1
    ),
    (select item.uid from inventory_item item where item.user_id = line.user_id and item.sku = line.sku)
  ) as item_uid
  from line
)
select distinct found.user_id, found.platform, found.seller_account_uid, found.external_order_id
from found
where found.item_uid is not null
-- Two conditions, since no index serves both.
and not exists (
  select from channel_listing offered
  where offered.user_id = found.user_id and offered.seller_account_uid = found.seller_account_uid
    and offered.listing_id = found.listing_id and found.ordered_at < offered.for_sale_since - interval '1 hour'
)
and not exists (
  select from channel_listing offered
  where offered.user_id = found.user_id and offered.item_uid = found.item_uid
    and offered.seller_account_uid = found.seller_account_uid
    and found.ordered_at < offered.for_sale_since - interval '1 hour'
)
-- Leave out orders that are unknown to the platform or already requested.
and not exists (
  select from order_fetch_request event
  where event.user_id = found.user_id and event.platform = found.platform
    and event.external_order_id = found.external_order_id
    and (event.unknown or event.handled_at is null)
)
limit 200
