-- Returns whether an item has another live listing on a platform.
select exists (
  select from channel_listing
  where user_id = ${user_id} and item_uid = ${uid} and platform = ${platform} and state in ('available', 'reserved')
    and (seller_account_uid, listing_id) is distinct from (${seller_account_uid}, ${listing_id})
) as is_live
