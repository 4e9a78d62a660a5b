-- Records that the platform accepted an operation, for the holder of the lease. The first time counts.
update listing_operation set
  accepted_at = coalesce(accepted_at, now()), listing_id = coalesce(${listing_id}, listing_id),
  listing_url = coalesce(${listing_url}, listing_url), failures = 0, error_code = null, error_message = null
where user_id = ${user_id} and id = ${id} and lease_epoch = ${lease_epoch} and state = 'open'
returning cancel_requested_at is not null as is_cancelled
