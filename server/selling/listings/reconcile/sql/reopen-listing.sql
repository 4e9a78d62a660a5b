-- Sets an ended listing to live, as an extra one beside another live listing of the item on the platform.
update channel_listing listing set state = 'available', observed_at = now(), updated_at = now(),
  extra = exists (
    select from channel_listing other
    where other.user_id = listing.user_id and other.item_uid = listing.item_uid and other.platform = listing.platform
      and other.state in ('available', 'reserved') and not other.extra
  )
where listing.user_id = ${user_id} and listing.seller_account_uid = ${seller_account_uid}
  and listing.listing_id = ${listing_id}
