-- Claims a job for one worker, unless another one is alive (no row). Writes of an earlier holder no longer count.
update import_job set
  lease_epoch = lease_epoch + 1,
  lease_until = now() + ${lease_ms} * interval '1 millisecond',
  crashes = crashes + 1,
  status = case when status = 'pending' then 'in_progress' else status end,
  started_at = coalesce(started_at, now()),
  touched_at = now()
where user_id = ${user_id} and uid = ${job_uid} and (lease_until is null or lease_until < now())
returning user_id, uid, seller_account_uid, platform, source, status, states, auto_start, cursor, discovery_done,
  lease_epoch, crashes, failures,
  -- Reads the old row: an earlier worker still had the job when its lease expired.
  (select before.lease_until is not null from import_job before where before.user_id = import_job.user_id and before.uid = import_job.uid)
    as taken_over
