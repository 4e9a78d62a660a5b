-- Notes that so many pending items were decided. Progress is measured against what there is in all, as far as anybody
-- knows, and never goes back.
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
  -- Once careful, careful to its end: the next item may be as deadly.
  crashes = case when crashes > ${careful_after} then ${careful_after} + 1 else 0 end,
  failures = 0,
  touched_at = now()
where user_id = ${user_id} and uid = ${uid}
