-- Locks the job for the rest of the transaction, if the caller's lease is still the newest; else no row.
select found_so_far, decided_so_far
from import_job
where user_id = ${user_id} and uid = ${uid} and lease_epoch = ${lease_epoch}
for no key update
