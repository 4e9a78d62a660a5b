-- Platforms that an operator has paused: no process calls them until they are resumed.
create table platform_pause (
  platform text primary key check (platform in ('ebay', 'etsy')),
  paused_at timestamptz not null default now()
);

-- Changes that operators made with `npm run admin`. `subject` names no person: the row outlives an erased account.
create table operator_action (
  id bigint generated always as identity primary key,
  at timestamptz not null default now(),
  operator text not null,
  command text not null,
  subject text not null
);
create index operator_action_at_idx on operator_action (at);

-- The secret before the last rotation signs deliveries, too, until `previous_secret_until`.
alter table webhook_endpoint
  add column encrypted_previous_secret bytea,
  add column previous_secret_until timestamptz;
