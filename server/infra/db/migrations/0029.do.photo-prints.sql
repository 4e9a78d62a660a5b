-- What pictures look like, in a few numbers (server/catalog/imports/matching/photo-print.ts): read once, when a listing may be the
-- same thing as an item of another platform.
create table photo_print (
  user_id integer not null references app_user,
  -- SHA-256 of the picture's address.
  url_hash bytea not null,
  -- Null where the picture could not be read; asked for again after a day.
  print bytea,
  read_at timestamptz not null default now(),
  primary key (user_id, url_hash)
);
create index photo_print_read_idx on photo_print (read_at);
