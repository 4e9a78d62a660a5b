-- Locks a job until the transaction ends, if the caller's lease is the newest (otherwise no row). With `deciding`
-- locks the user's inventory too, so that two imports cannot take the same SKU or make the same item twice.
select uid,
  case when ${deciding} then pg_advisory_xact_lock(4802, user_id) end as locked
from import_job
where user_id = ${user_id} and uid = ${uid} and lease_epoch = ${lease_epoch}
for no key update
