-- Ends an action, and releases the items that it never reached.
with freed as (
  update import_item set action_uid = null
  where user_id = ${user_id} and job_uid = ${job_uid} and action_uid = ${action_uid}
)
update import_action set state = 'done' where user_id = ${user_id} and job_uid = ${job_uid} and uid = ${action_uid}
