-- Extends a lease for its holder, unless it was given back meanwhile.
update listing_operation set lease_until = now() + ${lease_ms} * interval '1 millisecond'
where user_id = ${user_id} and id = ${id} and lease_epoch = ${lease_epoch} and state = 'open'
  and lease_until is not null
returning cancel_requested_at is not null as is_cancelled
