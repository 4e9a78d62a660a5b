-- Returns a platform on which an item is live or being published, if any.
select (
  select platform from channel_listing
  where user_id = ${user_id} and item_uid = ${uid} and state in ('available', 'reserved')
  union all
  select platform from listing_operation
  where user_id = ${user_id} and item_uid = ${uid} and kind = 'list' and state = 'open'
  limit 1
) as platform
