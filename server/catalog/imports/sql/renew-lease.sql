-- The worker is alive. No row: another one has taken the job, or its run is over: a sign of life that was still on its way
-- must not keep the next run out.
update import_job set lease_until = now() + ${lease_seconds} * interval '1 second'
where user_id = ${user_id} and uid = ${uid} and lease_epoch = ${lease_epoch} and lease_until is not null
returning lease_until
