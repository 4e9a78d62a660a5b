-- A run came to its end alive, so it is no death; failed or not, it may be told to wait and come back. No row: the lease is
-- lost.
update import_job set
  deaths = case when deaths > ${careful_after} then ${careful_after} + 1 else 0 end,
  failures = case when ${failed} then failures + 1 else 0 end,
  touched_at = now()
where user_id = ${user_id} and uid = ${uid} and lease_epoch = ${lease_epoch}
returning failures
