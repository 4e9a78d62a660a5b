-- Ends a task. A dismissed one may still be completed.
update extension_task set
  status = ${status}, finished_at = now(), report = ${report}, listing_id = coalesce(${listing_id}, listing_id)
where user_id = ${user_id} and uid = ${uid} and status <> 'completed'
