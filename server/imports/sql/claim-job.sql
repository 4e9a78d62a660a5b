-- Takes the job for one worker: from now on no write of an earlier holder counts. Null for a job that is not there.
update import_job set
  lease_epoch = lease_epoch + 1,
  deaths = deaths + 1,
  status = case when status = 'pending' then 'in_progress' else status end,
  started_at = coalesce(started_at, now()),
  touched_at = now()
where user_id = ${user_id} and uid = ${job_uid}
returning user_id, uid, seller_account_uid, platform, source, status, states, auto_start, cursor, discovery_done,
  lease_epoch, deaths, failures
