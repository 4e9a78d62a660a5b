-- Stores the completed options of an operation, for the holder of the lease.
update listing_operation set options = ${options}, options_chosen_at = now()
where user_id = ${user_id} and id = ${id} and lease_epoch = ${lease_epoch} and state = 'open'
returning cancel_requested_at is not null as is_cancelled
