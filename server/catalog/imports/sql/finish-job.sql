-- Completes a job if discovery is done, no item is undecided, and it was started.
update import_job job set status = 'completed', progress = 100, completed_at = now(), touched_at = now()
where user_id = ${user_id} and uid = ${uid} and lease_epoch = ${lease_epoch} and status = 'in_progress' and discovery_done
  and not exists (
    select from import_item item where item.user_id = job.user_id and item.job_uid = job.uid and item.status = 'pending'
  )
  and (
    auto_start or exists (
      select from import_action action
      where action.user_id = job.user_id and action.job_uid = job.uid and action.kind = 'start' and action.state = 'done'
    )
  )
returning found_so_far
