-- Attaches a listing to an item, or updates it if it is attached already. It is an extra one beside another live
-- listing of the item on the platform. No row if the listing belongs to another item.
insert into channel_listing as known (
  user_id, seller_account_uid, listing_id, item_uid, platform, url, state, extra, sku, price_minor, currency, listed_at,
  observed_at, for_sale_since, details_due_at
)
select ${user_id}, ${seller_account_uid}, ${listing_id}, ${item_uid}, ${platform}, ${url}, ${state}, exists (
    select from channel_listing other
    where other.user_id = ${user_id} and other.item_uid = ${item_uid} and other.platform = ${platform}
      and other.state in ('available', 'reserved') and not other.extra
      and (other.seller_account_uid, other.listing_id) is distinct from (${seller_account_uid}, ${listing_id})
  ), ${sku}, ${price_minor}, ${currency}, ${listed_at}, ${observed_at},
  case when ${state} = 'available' then ${observed_at}::timestamptz end, case when ${details_unread} then now() end
on conflict (user_id, seller_account_uid, listing_id) do update set
  url = excluded.url, state = excluded.state, extra = excluded.extra, sku = excluded.sku,
  price_minor = excluded.price_minor, currency = excluded.currency,
  observed_at = greatest(known.observed_at, excluded.observed_at), updated_at = now()
where known.item_uid = excluded.item_uid
returning known.item_uid
