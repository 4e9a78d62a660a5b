-- Records what is about to be sent and what the platform has created so far, for the holder of the lease.
update listing_operation set
  sent_at = now(), listing_id = coalesce(${listing_id}, listing_id),
  lease_until = now() + ${lease_ms} * interval '1 millisecond'
where user_id = ${user_id} and id = ${id} and lease_epoch = ${lease_epoch} and state = 'open'
returning cancel_requested_at is not null as is_cancelled
