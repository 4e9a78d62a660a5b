-- Counts changed import items. A status that is written again changes nothing and takes no lock.
create or replace function recount_import_items() returns trigger language plpgsql as $$
begin
  update import_count counted set
    imported = counted.imported + change.imported, skipped = counted.skipped + change.skipped,
    failed = counted.failed + change.failed, conflicted = counted.conflicted + change.conflicted
  from (
    select user_id, job_uid, sum(sign) filter (where status = 'imported') as imported,
      sum(sign) filter (where status = 'skipped') as skipped, sum(sign) filter (where status = 'failed') as failed,
      sum(sign) filter (where status = 'conflict') as conflicted
    from (
      select user_id, job_uid, status, 1 as sign from now
      union all
      select user_id, job_uid, status, -1 from before
    ) row
    group by user_id, job_uid
  ) sums
  cross join lateral (
    select coalesce(sums.imported, 0) as imported, coalesce(sums.skipped, 0) as skipped,
      coalesce(sums.failed, 0) as failed, coalesce(sums.conflicted, 0) as conflicted
  ) change
  where counted.user_id = sums.user_id and counted.job_uid = sums.job_uid
    and (change.imported, change.skipped, change.failed, change.conflicted) <> (0, 0, 0, 0);
  return null;
end $$;

create or replace trigger recount_import_items after update on import_item
  referencing old table as before new table as now for each statement execute function recount_import_items();
