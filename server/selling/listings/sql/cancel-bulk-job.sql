-- Stops a bulk job that is not over: what was not begun, or is not sent, is not done any more; what was begun goes on to its
-- end. So does what somebody else wants too: a sale, the seller, another job.
with stopped as (
  update bulk_job set status = 'cancelled', completed_at = now()
  where user_id = ${user_id} and uid = ${uid} and status in ('pending', 'in_progress')
  returning user_id, uid
), withdrawn as (
  update listing_intent intent set
    state = 'cancelled', finished_at = now(), lease_epoch = lease_epoch + 1, lease_until = null
  from stopped
  where intent.user_id = stopped.user_id and intent.cause = 'bulk' and intent.state = 'open' and intent.sent_at is null
    and (intent.lease_until is null or intent.lease_until < now())
    and exists (
      select from bulk_item item
      where item.user_id = stopped.user_id and item.job_uid = stopped.uid and item.intent_id = intent.id
        and item.status = 'pending'
    )
    and not exists (
      select from bulk_item other
      where other.user_id = intent.user_id and other.intent_id = intent.id and other.status = 'pending'
        and other.job_uid <> stopped.uid
    )
  returning intent.user_id, intent.id
)
update bulk_item item set status = 'cancelled'
from stopped
where item.user_id = stopped.user_id and item.job_uid = stopped.uid and item.status = 'pending'
  and (item.intent_id is null or exists (select from withdrawn where withdrawn.id = item.intent_id))
