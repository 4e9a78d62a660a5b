-- Stores a listing that was published for an item, as an extra one beside another live listing of the item on the
-- platform.
insert into channel_listing (
  user_id, seller_account_uid, listing_id, item_uid, platform, url, state, extra, sku, price_minor, currency, listed_at,
  observed_at
)
values (
  ${user_id}, ${seller_account_uid}, ${listing_id}, ${item_uid}, ${platform}, ${url}, 'available',
  exists (
    select from channel_listing other
    where other.user_id = ${user_id} and other.item_uid = ${item_uid} and other.platform = ${platform}
      and other.state in ('available', 'reserved')
      and (other.seller_account_uid, other.listing_id) <> (${seller_account_uid}, ${listing_id})
  ),
  ${sku}, ${price_minor}, ${currency}, now(), now()
)
on conflict (user_id, seller_account_uid, listing_id) do update set
  item_uid = excluded.item_uid, url = excluded.url, state = 'available', extra = excluded.extra, sku = excluded.sku,
  price_minor = excluded.price_minor, currency = excluded.currency, listed_at = now(), observed_at = now(),
  updated_at = now()
