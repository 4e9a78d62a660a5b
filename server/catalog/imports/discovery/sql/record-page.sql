-- Records, in the lease holder's transaction, that a page was stored, how many of its items were decided, and where
-- discovery continues. Progress is measured against the known total and never decreases.
update import_job set
  cursor = ${cursor},
  discovery_done = ${discovery_done},
  expected_total = coalesce(${total}, expected_total),
  found_so_far = found_so_far + ${stored},
  found_bytes = found_bytes + ${bytes},
  decided_so_far = decided_so_far + ${decided},
  progress = case
    when not ${discovery_done} and coalesce(${total}, expected_total) is null then progress
    else greatest(
      progress,
      least(
        99.9,
        100.0 * (decided_so_far + ${decided}) / greatest(${total}, expected_total, found_so_far + ${stored}, 1)
      )
    )
  end,
  crashes = case when crashes > ${careful_after} then ${careful_after} + 1 else 0 end,
  failures = 0,
  touched_at = now()
where user_id = ${user_id} and uid = ${uid} and lease_epoch = ${lease_epoch}
