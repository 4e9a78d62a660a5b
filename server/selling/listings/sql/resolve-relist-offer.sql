-- Resolves the offer to list an item again once it is live again wherever it was, and the alert about a listing that
-- failed once it is live there.
update alert set state = 'resolved', finished_at = now()
where user_id = ${user_id} and kind in ('relist_offer', 'listing_refused') and coalesce(item_uid, '') = ${item_uid} and state = 'open'
  and not exists (
    select from jsonb_array_elements_text(data -> 'platforms') as offered (platform)
    where not exists (
      select from channel_listing live
      where live.user_id = ${user_id} and live.item_uid = ${item_uid} and live.platform = offered.platform
        and live.state = 'available'
        and not exists (
          select from listing_operation operation
          where operation.user_id = live.user_id and operation.seller_account_uid = live.seller_account_uid
            and operation.listing_id = live.listing_id and operation.kind = 'delist' and operation.state = 'open'
        )
    )
  )
