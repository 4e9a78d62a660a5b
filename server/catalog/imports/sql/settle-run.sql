-- Records that a run ended without a crash, and releases the job. No row if the lease is lost.
update import_job set
  crashes = case when crashes > ${careful_after} then ${careful_after} + 1 else 0 end,
  failures = case when ${failed} then failures + 1 else 0 end,
  -- The reason of a wait stays readable while the next attempt runs.
  wait_reason = case when ${failed} then wait_reason end,
  retry_at = case when ${failed} then retry_at end,
  lease_until = null,
  touched_at = now()
where user_id = ${user_id} and uid = ${uid} and lease_epoch = ${lease_epoch}
returning failures
