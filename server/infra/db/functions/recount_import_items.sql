-- Counts changed import items. A status that is written again changes nothing and takes no lock.
create or replace function recount_import_items() returns trigger language plpgsql as $$
declare
  change record;
begin
  for change in
    select user_id, job_uid, coalesce(sum(sign) filter (where status = 'imported'), 0) as imported,
      coalesce(sum(sign) filter (where status = 'skipped'), 0) as skipped,
      coalesce(sum(sign) filter (where status = 'failed'), 0) as failed,
      coalesce(sum(sign) filter (where status = 'conflict'), 0) as conflicted
    from (
      select user_id, job_uid, status, 1 as sign from now
      union all
      select user_id, job_uid, status, -1 from before
    ) row
    group by user_id, job_uid
  loop
    continue when (change.imported, change.skipped, change.failed, change.conflicted) = (0, 0, 0, 0);
    update import_count counted set
      imported = counted.imported + change.imported, skipped = counted.skipped + change.skipped,
      failed = counted.failed + change.failed, conflicted = counted.conflicted + change.conflicted
    where counted.user_id = change.user_id and counted.job_uid = change.job_uid;
  end loop;
  return null;
end $$;

create or replace trigger recount_import_items after update on import_item
  referencing old table as before new table as now for each statement execute function recount_import_items();
