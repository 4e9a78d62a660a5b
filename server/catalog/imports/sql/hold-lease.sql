-- Locks the job for the rest of the transaction, if the caller's lease is still the newest (else no row), and with
-- `deciding` the user's inventory too: one writer at a time decides what becomes of listings of one user, so that two
-- imports cannot both take a SKU or make the same thing twice. The transaction says under which lease it writes, so that
-- whoever watches can tell.
select uid, set_config('hapax.lease', uid || '/' || ${lease_epoch}, true) as lease,
  case when ${deciding} then pg_advisory_xact_lock(4802, user_id) end as locked
from import_job
where user_id = ${user_id} and uid = ${uid} and lease_epoch = ${lease_epoch}
for no key update
