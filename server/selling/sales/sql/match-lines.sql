-- Returns the item of each line of an order. That is the recorded item, else the item of its listing. Else it is the
-- item that we listed in this shop under that SKU, else any item with that SKU. Null without such an item. Also null if
-- a listing of the item in the shop was first read as for sale over an hour after the order. The order then bought an
-- earlier item there.
select given.external_line_id,
  case
    when known.item_uid is null and given.item_uid is null and (listing.is_later or by_sku.is_later) then null
    else coalesce(known.item_uid, given.item_uid, listing.item_uid, by_sku.item_uid)
  end as item_uid,
  case
    when known.item_uid is not null then known.matched_by
    when given.item_uid is not null then 'seller'
    when listing.is_later or by_sku.is_later then null
    when listing.item_uid is not null then 'listing'
    when by_sku.item_uid is not null then 'sku'
  end as matched_by,
  coalesce(listing.state = 'sold', false) as listing_sold
from jsonb_to_recordset(${lines}::jsonb) as given (external_line_id text, listing_id text, sku text, item_uid text)
left join order_line known on known.user_id = ${user_id} and known.order_uid = ${order_uid}
  and known.external_line_id = given.external_line_id
left join lateral (
  select offered.item_uid, offered.state,
    ${ordered_at}::timestamptz < offered.for_sale_since - interval '1 hour' as is_later
  from channel_listing offered
  where offered.user_id = ${user_id} and offered.seller_account_uid = ${seller_account_uid}
    and offered.listing_id = given.listing_id
  -- Looked up per line: a join would read all listings of the shop.
  limit 1
) listing on true
left join lateral (
  select sought.item_uid, exists (
    select from channel_listing offered
    where offered.user_id = ${user_id} and offered.item_uid = sought.item_uid
      and offered.seller_account_uid = ${seller_account_uid}
      and ${ordered_at}::timestamptz < offered.for_sale_since - interval '1 hour'
  ) as is_later
  from (
    select coalesce(
      (
        select operation.item_uid
        from listing_operation operation
        join inventory_item kept on kept.user_id = operation.user_id and kept.uid = operation.item_uid
        where operation.user_id = ${user_id} and operation.seller_account_uid = ${seller_account_uid} and operation.kind = 'list'
          -- The range and the order lead the planner to the index of keys. Without statistics, any index of a user's
          -- operations looks as good.
          and operation.external_key between given.sku and given.sku
        order by operation.external_key
        limit 1
      ),
      (select item.uid from inventory_item item where item.user_id = ${user_id} and item.sku = given.sku)
    ) as item_uid
  ) sought
  where listing.item_uid is null and sought.item_uid is not null
) by_sku on true
