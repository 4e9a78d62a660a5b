-- Requests a new preview of a job. No row if there is no such job.
update import_job set preview_requested = preview_requested + 1
where user_id = ${user_id} and uid = ${job_uid}
returning preview_requested as generation
