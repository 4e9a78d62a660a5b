-- How taking an item down from a platform stands: what is still under way, and the listing it is about.
select
  (
    select count(*)::integer from listing_intent intent
    where intent.user_id = ${user_id} and intent.item_uid = ${item_uid} and intent.platform = ${platform}
      and intent.state = 'open' and intent.kind in ('list', 'delist')
  ) as open,
  (
    select count(*)::integer from channel_listing listing
    where listing.user_id = ${user_id} and listing.item_uid = ${item_uid} and listing.platform = ${platform}
      and listing.state in ('available', 'reserved')
  ) as live,
  last.listing_id, last.listing_url, last.confirmed_at is not null as is_confirmed
from (select) nothing
left join lateral (
  select intent.listing_id, intent.listing_url, intent.confirmed_at
  from listing_intent intent
  where intent.user_id = ${user_id} and intent.item_uid = ${item_uid} and intent.platform = ${platform}
    and intent.kind = 'delist'
  order by intent.created_at desc
  limit 1
) last on true
