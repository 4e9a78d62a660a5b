-- Imports (spec 2.6, 2.7, 4.14; decisions 6, 9). Counters are counted from import_item at every reading.

create table import_job (
  user_id integer not null references app_user,
  uid text collate "C" not null,
  seller_account_uid text not null,
  platform text not null,
  -- pull: read by our worker; extension: sent by the extension in batches.
  source text not null check (source in ('pull', 'extension')),
  status text not null default 'pending' check (status in ('pending', 'in_progress', 'completed', 'failed')),
  states text[] not null,
  -- False stops after discovery, until start.
  auto_start boolean not null default true,
  -- Where discovery goes on; null before the first page.
  cursor text,
  discovery_done boolean not null default false,
  -- What the platform, or the extension, says there is in all.
  expected_total integer,
  -- For the progress only, in the transaction of what they count, so that no poll has to count twice.
  found_so_far integer not null default 0,
  decided_so_far integer not null default 0,
  -- Percent; never goes back, 100 when and only when completed.
  progress real not null default 0,
  -- Grows with every worker that takes the job; every write of a worker names its own (faults I8).
  lease_epoch bigint not null default 0,
  -- Until then nobody else takes the job: its worker is alive. For peace between workers; what is safe is the epoch.
  lease_until timestamptz,
  -- Takes that nobody brought to an end since the last thing that got done: something kills the workers of this job.
  deaths integer not null default 0,
  -- Failures that were settled since then by waiting: the platform is away.
  failures integer not null default 0,
  preview_requested integer not null default 0,
  preview_ready integer not null default 0,
  error_message text,
  created_at timestamptz not null default now(),
  started_at timestamptz,
  completed_at timestamptz,
  -- Last sign of life: of its worker, or of the extension.
  touched_at timestamptz not null default now(),
  primary key (user_id, uid),
  foreign key (user_id, seller_account_uid) references seller_account (user_id, uid),
  check ((status in ('completed', 'failed')) = (completed_at is not null)),
  check ((progress = 100) = (status = 'completed')),
  check ((error_message is not null) = (status = 'failed'))
);
-- A seller account has at most one live job.
create unique index import_job_live_key on import_job (user_id, seller_account_uid)
  where status in ('pending', 'in_progress');
-- What the sweep looks for.
create index import_job_touched_idx on import_job (touched_at) where status in ('pending', 'in_progress');

create table import_item (
  user_id integer not null,
  job_uid text collate "C" not null,
  -- Grows in the order of discovery.
  uid text collate "C" not null,
  external_listing_id text collate "C" not null,
  -- The listing as its adapter or the extension read it, or why it could not be read.
  found jsonb not null,
  observed_at timestamptz not null,
  external_sku text not null,
  listing_title text not null,
  listing_price text,
  status text not null default 'pending' check (status in ('pending', 'imported', 'failed', 'conflict', 'skipped')),
  conflict_type text,
  conflict_details text,
  -- The item that the listing is in conflict with.
  conflict_item_uid text,
  error_code text,
  error_message text,
  resolution text check (
    resolution in ('pending', 'link_existing', 'create_new', 'overwrite', 'skip', 'skip_all', 'auto_skip')
  ),
  created_inventory_item_uid text,
  processed_at timestamptz,
  -- The action (start, retry) that is to decide it again.
  action_uid text,
  primary key (user_id, job_uid, uid),
  constraint import_item_listing_key unique (user_id, job_uid, external_listing_id),
  foreign key (user_id, job_uid) references import_job (user_id, uid) on delete cascade,
  check ((status = 'conflict') = (resolution is not distinct from 'pending')),
  check ((status = 'failed') = (error_code is not null)),
  check (status <> 'conflict' or conflict_type is not null),
  check ((status = 'pending') = (processed_at is null))
);
create index import_item_status_idx on import_item (user_id, job_uid, status, uid);
create index import_item_action_idx on import_item (user_id, job_uid, action_uid, uid) where action_uid is not null;

-- What the seller asked of a job: decided again (start) or read again (retry), one after the other.
create table import_action (
  user_id integer not null,
  job_uid text collate "C" not null,
  uid text collate "C" not null,
  kind text not null check (kind in ('start', 'retry')),
  status_filter text,
  item_limit integer,
  skip_conflicts boolean not null default false,
  -- waiting: its items are not marked yet; running: they are; done.
  state text not null default 'waiting' check (state in ('waiting', 'running', 'done')),
  created_at timestamptz not null default now(),
  primary key (user_id, job_uid, uid),
  foreign key (user_id, job_uid) references import_job (user_id, uid) on delete cascade
);
-- The same thing asked for again while it waits is one action.
create unique index import_action_waiting_key on import_action (
  user_id, job_uid, kind, coalesce(status_filter, ''), coalesce(item_limit, 0), skip_conflicts
) where state <> 'done';

-- A batch of the extension and what it was answered: the same batch is the same answer.
create table import_batch (
  user_id integer not null,
  job_uid text collate "C" not null,
  batch_id text not null,
  answer jsonb not null,
  created_at timestamptz not null default now(),
  primary key (user_id, job_uid, batch_id),
  foreign key (user_id, job_uid) references import_job (user_id, uid) on delete cascade
);

-- The items as they would become, of the preview that was asked for last.
create table import_preview (
  user_id integer not null,
  job_uid text collate "C" not null,
  generation integer not null,
  item_uid text collate "C" not null,
  status text not null,
  conflict_type text,
  conflict_details text,
  error_code text,
  error_message text,
  primary key (user_id, job_uid, generation, item_uid),
  foreign key (user_id, job_uid) references import_job (user_id, uid) on delete cascade
);
