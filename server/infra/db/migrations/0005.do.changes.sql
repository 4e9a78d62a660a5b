-- Acts that a seller can undo, one row per thing that an act changed. Rows of one act share `change_uid`. Kept for 30 days.
create table undo_step (
  user_id integer not null references app_user (id),
  change_uid text collate "C" not null,
  -- The import item that was decided, the item that was sold, or the import job.
  subject_uid text collate "C" not null,
  kind text not null check (kind in ('link', 'overwrite', 'create', 'skip', 'mark_sold', 'import_job')),
  item_uid text collate "C",
  job_uid text collate "C",
  seller_account_uid text,
  platform text,
  title text not null default '',
  -- The changed values, as they were and as they became. Undoing compares `after` with what is there by then.
  before jsonb not null default '{}',
  after jsonb not null default '{}',
  at timestamptz not null default now(),
  undone_at timestamptz,
  primary key (user_id, change_uid, subject_uid)
);
create index undo_step_at_idx on undo_step (at);
create index undo_step_subject_idx on undo_step (user_id, subject_uid);

-- Acts that move no state are in an item's history too: old and new values by field.
alter table inventory_history
  add column changes jsonb;
