-- Records that a listing was ended on the platform itself. No row if it changed meanwhile.
with ended as (
  update channel_listing listing set state = 'removed', extra = false, observed_at = now(), updated_at = now()
  where listing.user_id = ${user_id} and listing.seller_account_uid = ${seller_account_uid}
    and listing.listing_id = ${listing_id} and listing.item_uid = ${item_uid}
    and listing.state in ('available', 'reserved') and listing.updated_at < now() - interval '15 minutes'
    and not exists (
      select from listing_operation operation
      where operation.user_id = listing.user_id and operation.item_uid = listing.item_uid and operation.state = 'open'
        and operation.seller_account_uid = listing.seller_account_uid
    )
  returning listing.item_uid
), resolved as (
  update alert set state = 'resolved', finished_at = now()
  from ended
  where alert.user_id = ${user_id} and alert.kind = 'update_refused' and coalesce(alert.item_uid, '') = ended.item_uid
    and alert.reference = ${listing_id} and alert.state = 'open'
)
select item_uid from ended
