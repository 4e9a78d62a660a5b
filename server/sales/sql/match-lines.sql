-- The item that each line of an order is about: the one it was recorded with, else the one that its listing sells, else the
-- one that we put up in this shop under that SKU, which is our key of it, else the one with that SKU of the seller's own.
-- Null for none, and for a listing that an import read as on offer more than an hour after the order: that bought what was
-- for sale there before.
select given.external_line_id,
  case
    when known.item_uid is null and given.item_uid is null and listing.is_later then null
    else coalesce(known.item_uid, given.item_uid, listing.item_uid, put_up.item_uid, item.uid)
  end as item_uid,
  case
    when known.item_uid is not null then known.matched_by
    when given.item_uid is not null then 'seller'
    when listing.is_later then null
    when listing.item_uid is not null then 'listing'
    when coalesce(put_up.item_uid, item.uid) is not null then 'sku'
  end as matched_by,
  coalesce(listing.state = 'sold', false) as listing_sold
from jsonb_to_recordset(${lines}::jsonb) as given (external_line_id text, listing_id text, sku text, item_uid text)
left join order_line known on known.user_id = ${user_id} and known.order_uid = ${order_uid}
  and known.external_line_id = given.external_line_id
left join lateral (
  select offered.item_uid, offered.state,
    ${ordered_at}::timestamptz < offered.on_offer_since - interval '1 hour' as is_later
  from channel_listing offered
  where offered.user_id = ${user_id} and offered.seller_account_uid = ${seller_account_uid}
    and offered.listing_id = given.listing_id
) listing on true
left join lateral (
  select intent.item_uid
  from listing_intent intent
  where intent.user_id = ${user_id} and intent.seller_account_uid = ${seller_account_uid} and intent.kind = 'list'
    and intent.external_key = given.sku
  limit 1
) put_up on true
left join inventory_item item on item.user_id = ${user_id} and item.sku = given.sku
