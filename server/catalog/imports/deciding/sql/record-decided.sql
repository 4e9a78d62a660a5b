-- Records that pending items were decided. Progress is measured against the known total and never decreases.
update import_job set
  decided_so_far = decided_so_far + ${decided},
  progress = case
    when status in ('completed', 'failed') then progress
    when not discovery_done and expected_total is null then progress
    else greatest(
      progress,
      least(99.9, 100.0 * (decided_so_far + ${decided}) / greatest(expected_total, found_so_far, 1))
    )
  end,
  -- A careful job stays careful to its end: the next item may crash the worker too.
  crashes = case when crashes > ${careful_after} then ${careful_after} + 1 else 0 end,
  failures = 0,
  touched_at = now()
where user_id = ${user_id} and uid = ${uid}
