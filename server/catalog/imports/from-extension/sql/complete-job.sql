-- Completes a job. Every batch was decided on arrival, so nothing is pending.
update import_job set
  discovery_done = true, status = 'completed', progress = 100, started_at = coalesce(started_at, now()),
  completed_at = now(), touched_at = now()
where user_id = ${user_id} and uid = ${uid} and status in ('pending', 'in_progress')
