-- Records a listing whose order was cancelled as the platform shows it: live again, or ended and ready to be listed
-- again. Returns a row if that is new.
update channel_listing listing set
  state = case when ${live} then 'available' else 'removed' end,
  extra = ${live} and exists (
    select from channel_listing other
    where other.user_id = listing.user_id and other.item_uid = listing.item_uid and other.platform = listing.platform
      and other.state in ('available', 'reserved') and not other.extra
      and (other.seller_account_uid, other.listing_id) <> (listing.seller_account_uid, listing.listing_id)
  ),
  observed_at = now(), updated_at = now()
where listing.user_id = ${user_id} and listing.seller_account_uid = ${seller_account_uid}
  and listing.listing_id = ${listing_id}
  and (listing.state = 'reserved' or (listing.state = 'sold' and ${live}))
returning listing.item_uid, listing.url
