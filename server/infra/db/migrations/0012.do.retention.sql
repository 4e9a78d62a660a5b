-- Finished work is removed after a time (operations/cleanup). The indexes find it without reading what stays.

-- When older readings of the job's listings were removed.
alter table import_job
  add column pruned_at timestamptz;
create index import_job_unpruned_idx on import_job (completed_at) where completed_at is not null and pruned_at is null;

-- Items that a later import replaced and that are removed by now. The counts of a job include them.
alter table import_count
  add column removed_skipped integer not null default 0,
  add column removed_failed integer not null default 0;

-- Operations and tasks that listed an item stay: they say which listing is its own.
create index listing_operation_finished_idx on listing_operation (finished_at)
  where kind <> 'list' and finished_at is not null;
create index extension_task_finished_idx on extension_task (finished_at)
  where finished_at is not null and not (kind = 'list' and status = 'completed');
create index bulk_job_completed_idx on bulk_job (completed_at) where completed_at is not null;
create index alert_finished_idx on alert (finished_at) where finished_at is not null;
create index order_fetch_request_handled_idx on order_fetch_request (handled_at) where handled_at is not null;
create index api_usage_day_idx on api_usage (day);
