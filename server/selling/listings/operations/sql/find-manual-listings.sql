-- Returns the live listings of an item that only the seller can end, except the one that was sold.
select platform, seller_account_uid, listing_id, url
from channel_listing
where user_id = ${user_id} and item_uid = ${item_uid} and state in ('available', 'reserved')
  and not platform = any(${api_platforms})
  and (${platforms}::text[] is null or platform = any(${platforms}::text[]))
  and (platform, listing_id) is distinct from (${except_platform}, ${except_listing_id})
