-- Something known, sealed with the key that this database is used with: a server with another key is told so at its start,
-- before every connection of every seller seems lost.
create table secret_key_check (
  only_one boolean primary key default true check (only_one),
  sealed bytea not null,
  made_at timestamptz not null default now()
);
