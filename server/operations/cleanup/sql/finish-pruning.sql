-- Marks an import as done with, and removes its preview. Removes earlier imports of the shop that have no items left and
-- ended ${work_days} days ago.
with pruned as (
  update import_job set pruned_at = now() where user_id = ${user_id} and uid = ${job_uid}
  returning user_id, seller_account_uid, source, created_at
), previews as (
  delete from import_preview where user_id = ${user_id} and job_uid = ${job_uid}
)
delete from import_job job
using pruned
where job.user_id = pruned.user_id and job.seller_account_uid = pruned.seller_account_uid and job.source = pruned.source
  and job.created_at < pruned.created_at and job.completed_at < now() - ${work_days} * interval '1 day'
  and job.uid <> ${job_uid}
  and not exists (select from import_item item where item.user_id = job.user_id and item.job_uid = job.uid)
  and not exists (
    select from import_action action
    where action.user_id = job.user_id and action.job_uid = job.uid and action.state <> 'done'
  )
