-- Returns how far the end of an item's listings on a platform is: the number of open operations and live listings, and
-- the newest listing.
select
  (
    select count(*)::integer from listing_operation operation
    where operation.user_id = ${user_id} and operation.item_uid = ${item_uid} and operation.platform = ${platform}
      and operation.state = 'open' and operation.kind in ('list', 'delist')
  ) as open,
  (
    select count(*)::integer from channel_listing listing
    where listing.user_id = ${user_id} and listing.item_uid = ${item_uid} and listing.platform = ${platform}
      and listing.state in ('available', 'reserved')
  ) as live,
  last.listing_id, last.listing_url, last.confirmed_at is not null as is_confirmed
from (select) nothing
left join lateral (
  select operation.listing_id, operation.listing_url, operation.confirmed_at
  from listing_operation operation
  where operation.user_id = ${user_id} and operation.item_uid = ${item_uid} and operation.platform = ${platform}
    and operation.kind = 'delist'
  order by operation.created_at desc
  limit 1
) last on true
