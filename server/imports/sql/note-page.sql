-- Notes in the lease holder's transaction that a page is stored, and where discovery goes on.
update import_job set
  cursor = ${cursor},
  discovery_done = ${discovery_done},
  expected_total = coalesce(${total}, expected_total),
  found_so_far = found_so_far + ${stored},
  deaths = 0,
  failures = 0,
  touched_at = now()
where user_id = ${user_id} and uid = ${uid} and lease_epoch = ${lease_epoch}
