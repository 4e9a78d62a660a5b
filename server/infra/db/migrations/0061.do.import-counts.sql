-- How many items an import has of each status: counted where they are written, in the same transaction. Whoever polls a
-- seller's jobs had all their items counted each time. A row of its own, so that a conflict that is answered does not wait for
-- the worker that holds the job.
create table import_count (
  user_id integer not null,
  job_uid text collate "C" not null,
  found integer not null default 0,
  imported integer not null default 0,
  skipped integer not null default 0,
  failed integer not null default 0,
  conflicted integer not null default 0,
  primary key (user_id, job_uid),
  foreign key (user_id, job_uid) references import_job (user_id, uid) on delete cascade
) with (fillfactor = 50);

insert into import_count (user_id, job_uid, found, imported, skipped, failed, conflicted)
select user_id, job_uid, count(*), count(*) filter (where status = 'imported'), count(*) filter (where status = 'skipped'),
  count(*) filter (where status = 'failed'), count(*) filter (where status = 'conflict')
from import_item
group by user_id, job_uid;

create function count_import_items() returns trigger language plpgsql as $$
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
create trigger count_import_items after insert on import_item
  referencing new table as stored for each statement execute function count_import_items();

-- A status that is written again changes nothing, and holds nobody up.
create function recount_import_items() returns trigger language plpgsql as $$
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
create trigger recount_import_items after update on import_item
  referencing old table as before new table as now for each statement execute function recount_import_items();

-- Items go with their job, and its counts too.
create function uncount_import_items() returns trigger language plpgsql as $$
begin
  update import_count counted set
    found = counted.found - gone.found, imported = counted.imported - gone.imported,
    skipped = counted.skipped - gone.skipped, failed = counted.failed - gone.failed,
    conflicted = counted.conflicted - gone.conflicted
  from (
    select user_id, job_uid, count(*) as found, count(*) filter (where status = 'imported') as imported,
      count(*) filter (where status = 'skipped') as skipped, count(*) filter (where status = 'failed') as failed,
      count(*) filter (where status = 'conflict') as conflicted
    from removed
    group by user_id, job_uid
  ) gone
  where counted.user_id = gone.user_id and counted.job_uid = gone.job_uid;
  return null;
end $$;
create trigger uncount_import_items after delete on import_item
  referencing old table as removed for each statement execute function uncount_import_items();
