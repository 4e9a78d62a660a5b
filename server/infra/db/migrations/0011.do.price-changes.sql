-- How the price of each platform follows from the price of an item, by platform: {"ebay": {"basis_points", "rounding"}}.
alter table seller_settings
  add column price_rules jsonb not null default '{}';

-- Bulk changes of prices. Their rows name no platform, so that a build without them leaves them alone.
alter table bulk_job
  add column price_change jsonb,
  drop constraint bulk_job_action_check,
  add constraint bulk_job_action_check check (action in ('list', 'delist', 'price')) not valid;
alter table bulk_job validate constraint bulk_job_action_check;

-- A bulk change of prices can be undone.
alter table undo_step
  drop constraint undo_step_kind_check,
  add constraint undo_step_kind_check check (
    kind in ('link', 'overwrite', 'create', 'skip', 'mark_sold', 'import_job', 'change_price')
  ) not valid;
alter table undo_step validate constraint undo_step_kind_check;
