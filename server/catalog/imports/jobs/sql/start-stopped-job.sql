-- Lets a live job run through that was to stop after discovery, because it was requested again as a whole.
update import_job set auto_start = true, touched_at = now()
where user_id = ${user_id} and uid = ${job_uid} and not auto_start and status in ('pending', 'in_progress')
returning uid
