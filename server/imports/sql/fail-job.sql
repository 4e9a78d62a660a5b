-- Ends a live job with a reason for the seller; what it asked for and did not get is put aside.
with failed as (
  update import_job set status = 'failed', error_message = ${message}, completed_at = now(), touched_at = now()
  where user_id = ${user_id} and uid = ${uid} and status in ('pending', 'in_progress')
    and (${lease_epoch}::bigint is null or lease_epoch = ${lease_epoch})
), freed as (
  update import_item set action_uid = null
  where user_id = ${user_id} and job_uid = ${uid} and action_uid is not null
)
update import_action set state = 'done' where user_id = ${user_id} and job_uid = ${uid} and state <> 'done'
