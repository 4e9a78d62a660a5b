-- Counts new import items in import_count. Sums them up first: Citus cannot join a trigger's rows with a distributed table.
create or replace function count_import_items() returns trigger language plpgsql as $$
declare
  sums record;
begin
  for sums in
    select user_id, job_uid, count(*) as found, count(*) filter (where status = 'imported') as imported,
      count(*) filter (where status = 'skipped') as skipped, count(*) filter (where status = 'failed') as failed,
      count(*) filter (where status = 'conflict') as conflicted
    from stored
    group by user_id, job_uid
  loop
    insert into import_count as counted (user_id, job_uid, found, imported, skipped, failed, conflicted)
    values (sums.user_id, sums.job_uid, sums.found, sums.imported, sums.skipped, sums.failed, sums.conflicted)
    on conflict (user_id, job_uid) do update set
      found = counted.found + excluded.found, imported = counted.imported + excluded.imported,
      skipped = counted.skipped + excluded.skipped, failed = counted.failed + excluded.failed,
      conflicted = counted.conflicted + excluded.conflicted;
  end loop;
  return null;
end $$;

create or replace trigger count_import_items after insert on import_item
  referencing new table as stored for each statement execute function count_import_items();
