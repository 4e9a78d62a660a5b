-- Counts new import items in import_count.
create or replace function count_import_items() returns trigger language plpgsql as $$
begin
  insert into import_count as counted (user_id, job_uid, found, imported, skipped, failed, conflicted)
  select user_id, job_uid, count(*), count(*) filter (where status = 'imported'),
    count(*) filter (where status = 'skipped'), count(*) filter (where status = 'failed'),
    count(*) filter (where status = 'conflict')
  from stored
  group by user_id, job_uid
  on conflict (user_id, job_uid) do update set
    found = counted.found + excluded.found, imported = counted.imported + excluded.imported,
    skipped = counted.skipped + excluded.skipped, failed = counted.failed + excluded.failed,
    conflicted = counted.conflicted + excluded.conflicted;
  return null;
end $$;

create or replace trigger count_import_items after insert on import_item
  referencing new table as stored for each statement execute function count_import_items();
