-- Removes bulk jobs that ended ${work_days} days ago, with the results of their items.
delete from bulk_job where ctid = any(array(
  select ctid from bulk_job
  where completed_at < now() - ${work_days} * interval '1 day'
  limit ${limit}
  for update skip locked
))
