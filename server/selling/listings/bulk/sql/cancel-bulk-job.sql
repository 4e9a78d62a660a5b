-- Cancels an open bulk job. Rows that are not begun or not sent are dropped. Operations in progress run to their end,
-- and so do those that a sale, the seller or another job wants too.
with stopped as (
  update bulk_job set status = 'cancelled', completed_at = now()
  where user_id = ${user_id} and uid = ${uid} and status in ('pending', 'in_progress')
  returning user_id, uid
), withdrawn as (
  update listing_operation operation set
    state = 'cancelled', finished_at = now(), lease_epoch = lease_epoch + 1, lease_until = null
  from stopped
  where operation.user_id = stopped.user_id and operation.cause = 'bulk' and operation.state = 'open' and operation.sent_at is null
    and (operation.lease_until is null or operation.lease_until < now())
    and exists (
      select from bulk_item item
      where item.user_id = stopped.user_id and item.job_uid = stopped.uid and item.operation_id = operation.id
        and item.status = 'pending'
    )
    and not exists (
      select from bulk_item other
      where other.user_id = operation.user_id and other.operation_id = operation.id and other.status = 'pending'
        and other.job_uid <> stopped.uid
    )
  returning operation.user_id, operation.id
)
update bulk_item item set status = 'cancelled'
from stopped
where item.user_id = stopped.user_id and item.job_uid = stopped.uid and item.status = 'pending'
  and (item.operation_id is null or exists (select from withdrawn where withdrawn.id = item.operation_id))
