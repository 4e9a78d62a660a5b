-- Skips every open conflict of a job.
update import_item set status = 'skipped', resolution = 'skip_all', processed_at = now(), action_uid = null
where user_id = ${user_id} and job_uid = ${job_uid} and status = 'conflict'
