-- Records the contents of a batch; the first batch begins the import.
update import_job set
  status = 'in_progress', started_at = coalesce(started_at, now()), found_so_far = found_so_far + ${stored},
  found_bytes = found_bytes + ${bytes}, touched_at = now(),
  expected_total = coalesce(${expected_total}, expected_total), left_out = greatest(left_out, ${left_out})
where user_id = ${user_id} and uid = ${uid}
