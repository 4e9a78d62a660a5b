-- Gives the lease back and goes on later; for whoever holds it.
update listing_intent set
  lease_until = null,
  -- A new price that is outdated ends at once, so that the newer one need not wait for it.
  next_attempt_at = case
    when kind = 'reprice' and cancel_requested_at is not null then now()
    else now() + ${after_ms} * interval '1 millisecond'
  end,
  failures = case when ${failed} then failures + 1 else failures end,
  error_code = coalesce(${error_code}, error_code),
  error_message = coalesce(${error_message}, error_message),
  cancel_requested_at = case when ${cancel} then coalesce(cancel_requested_at, now()) else cancel_requested_at end,
  alarm_at = case when ${alarm} then coalesce(alarm_at, now()) else alarm_at end
where user_id = ${user_id} and id = ${id} and lease_epoch = ${lease_epoch} and state = 'open'
returning cancel_requested_at is not null as is_cancelled
