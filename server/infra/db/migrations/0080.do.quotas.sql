-- How much of the listings that were read is kept for a job, in bytes; an account has a quota of it.
alter table import_job add column found_bytes bigint not null default 0;
create index import_job_created_idx on import_job (user_id, created_at);

-- Descriptions and pictures of listings are removed from decided import items after a while.
alter table import_item add column is_slim boolean not null default false;
create index import_item_slim_idx on import_item (processed_at)
  where not is_slim and status in ('imported', 'skipped')
    and (resolution is null or resolution not in ('skip', 'skip_all'));
create index import_batch_created_idx on import_batch (created_at);

-- Bytes that an account has sent to be kept, by day (UTC).
create table written_bytes (
  user_id integer not null references app_user (id),
  day date not null,
  bytes bigint not null,
  primary key (user_id, day)
);
create index written_bytes_day_idx on written_bytes (day);
