-- Uncounts deleted import items. The counts of a deleted job go with it.
create or replace function uncount_import_items() returns trigger language plpgsql as $$
declare
  gone record;
begin
  for gone in
    select user_id, job_uid, count(*) as found, count(*) filter (where status = 'imported') as imported,
      count(*) filter (where status = 'skipped') as skipped, count(*) filter (where status = 'failed') as failed,
      count(*) filter (where status = 'conflict') as conflicted
    from removed
    group by user_id, job_uid
  loop
    update import_count counted set
      found = counted.found - gone.found, imported = counted.imported - gone.imported,
      skipped = counted.skipped - gone.skipped, failed = counted.failed - gone.failed,
      conflicted = counted.conflicted - gone.conflicted
    where counted.user_id = gone.user_id and counted.job_uid = gone.job_uid;
  end loop;
  return null;
end $$;

create or replace trigger uncount_import_items after delete on import_item
  referencing old table as removed for each statement execute function uncount_import_items();
