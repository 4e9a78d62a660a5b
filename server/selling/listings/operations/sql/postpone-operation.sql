-- Gives a lease back and sets the next attempt, for the holder of the lease. A cancelled operation has failed for the
-- bulk jobs that asked for it, however long its remains are looked for.
with put_off as (
  update listing_operation set
    lease_until = null,
    -- An outdated update ends at once, so that the newer one need not wait for it.
    next_attempt_at = case
      when kind in ('update', 'reprice') and cancel_requested_at is not null then now()
      -- The shop was connected again during the attempt.
      when next_attempt_at > ${due_at}::timestamptz then now()
      else now() + ${after_ms} * interval '1 millisecond'
    end,
    failures = case when ${failed} then failures + 1 else failures end,
    error_code = coalesce(${error_code}, error_code),
    error_message = coalesce(${error_message}, error_message),
    cancel_requested_at = case when ${cancel} then coalesce(cancel_requested_at, now()) else cancel_requested_at end,
    alerted_at = case when ${alert} then coalesce(alerted_at, now()) else alerted_at end
  where user_id = ${user_id} and id = ${id} and lease_epoch = ${lease_epoch} and state = 'open'
  returning user_id, id, error_code, error_message, cancel_requested_at is not null as is_cancelled
), given_up as (
  update bulk_item item set
    status = 'failed', error_code = put_off.error_code, error_message = put_off.error_message
  from put_off
  where ${cancel} and item.user_id = put_off.user_id and item.operation_id = put_off.id and item.status = 'pending'
)
select is_cancelled from put_off
