-- Removes take-downs and price changes that ended ${history_days} days ago. A take-down whose listing is live stays: it
-- says that the seller was alerted.
delete from listing_operation where ctid = any(array(
  select operation.ctid
  from listing_operation operation
  where operation.kind <> 'list' and operation.finished_at < now() - ${history_days} * interval '1 day'
    and not exists (
      select from channel_listing listing
      where listing.user_id = operation.user_id and listing.seller_account_uid = operation.seller_account_uid
        and listing.listing_id = operation.listing_id and listing.state in ('available', 'reserved')
    )
  limit ${limit}
  for update of operation skip locked
))
