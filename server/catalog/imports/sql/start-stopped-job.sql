-- Lets a live job that was to stop after discovery run through: it was asked for again, this time as a whole.
update import_job set auto_start = true, touched_at = now()
where user_id = ${user_id} and uid = ${job_uid} and not auto_start and status in ('pending', 'in_progress')
returning uid
