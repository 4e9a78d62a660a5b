-- Orders whose changes a platform does not tell of are read again, page by page.
alter table order_sync
  add column read_again_at timestamptz not null default now(),
  add column read_again_cursor text,
  add column all_read_again_at timestamptz not null default now();
