-- Extends a worker's lease. No row if another one has the job, or the run is over: a late sign of life must not delay
-- the next run.
update import_job set lease_until = now() + ${lease_ms} * interval '1 millisecond'
where user_id = ${user_id} and uid = ${uid} and lease_epoch = ${lease_epoch} and lease_until is not null
returning lease_until
