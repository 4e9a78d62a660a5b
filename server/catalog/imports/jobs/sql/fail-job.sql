-- Fails a live job with a reason for the seller, and drops its waiting actions; of a job that is over only the
-- actions. A worker in progress loses its lease. Returns a row if the job failed now or had actions waiting.
with failed as (
  update import_job set status = 'failed', error_message = ${message}, lost_connection = ${lost_connection},
    completed_at = now(), touched_at = now(), lease_epoch = lease_epoch + 1
  where user_id = ${user_id} and uid = ${uid} and status in ('pending', 'in_progress')
    and (${lease_epoch}::bigint is null or lease_epoch = ${lease_epoch})
  returning user_id, uid
), freed as (
  update import_item set action_uid = null
  where user_id = ${user_id} and job_uid = ${uid} and action_uid is not null
), ended as (
  update import_action set state = 'done' where user_id = ${user_id} and job_uid = ${uid} and state <> 'done'
  returning user_id, job_uid
)
select user_id, uid from failed
union
select user_id, job_uid from ended
