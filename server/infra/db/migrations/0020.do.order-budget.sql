-- Calls that reading orders may spend ahead of its plan, one row per platform for all shops and workers.
create table order_budget (
  platform text primary key,
  calls double precision not null,
  largest double precision not null,
  per_second double precision not null,
  updated_at timestamptz not null default now()
);
