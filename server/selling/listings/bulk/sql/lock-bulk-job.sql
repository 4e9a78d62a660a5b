-- Locks a bulk job until the transaction ends.
select from bulk_job where user_id = ${user_id} and uid = ${uid} for update
