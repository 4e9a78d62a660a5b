-- Edits of many items, as bulk jobs of their own action, and their undo.
alter table bulk_job drop constraint bulk_job_action_check;
alter table bulk_job add constraint bulk_job_action_check check (action in ('list', 'delist', 'price', 'edit'));
-- How a job of the action `edit` changes items. Its rows of bulk_item name no platform.
alter table bulk_job add column item_edit jsonb;
alter table undo_step drop constraint undo_step_kind_check;
alter table undo_step add constraint undo_step_kind_check check (
  kind in (
    'link', 'overwrite', 'create', 'skip', 'mark_sold', 'import_job', 'change_price', 'adopt', 'overwrite_listing',
    'ignore_difference', 'take_down', 'take_back_hold', 'edit_items'
  )
);

-- Views of the inventory that a seller saved under a name: filter, columns and order.
create table saved_view (
  user_id integer not null references app_user (id),
  uid text collate "C" not null,
  name text not null,
  view jsonb not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (user_id, uid)
);
create unique index saved_view_name_key on saved_view (user_id, name);
