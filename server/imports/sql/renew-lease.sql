-- The worker is alive. No row: another one has taken the job.
update import_job set lease_until = now() + ${lease_seconds} * interval '1 second'
where user_id = ${user_id} and uid = ${uid} and lease_epoch = ${lease_epoch}
returning lease_until
