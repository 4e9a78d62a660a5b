-- Stops a bulk job that is not over: what was not begun is not begun any more, what was begun goes on to its end.
with stopped as (
  update bulk_job set status = 'cancelled', completed_at = now()
  where user_id = ${user_id} and uid = ${uid} and status in ('pending', 'in_progress')
  returning user_id, uid
), withdrawn as (
  update listing_intent intent set state = 'cancelled', finished_at = now(), lease_epoch = lease_epoch + 1
  from stopped
  where intent.user_id = stopped.user_id and intent.cause = 'bulk' and intent.cause_ref = stopped.uid
    and intent.state = 'open' and intent.attempts = 0
  returning intent.user_id, intent.id
)
update bulk_item item set status = 'cancelled'
from stopped
where item.user_id = stopped.user_id and item.job_uid = stopped.uid and item.status = 'pending'
  and (item.intent_id is null or exists (select from withdrawn where withdrawn.id = item.intent_id))
