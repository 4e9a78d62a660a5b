-- The account that owns the installation: it invites others and is warned of late backups. There is one at most.
alter table app_user add column is_owner boolean not null default false;
create unique index app_user_owner_key on app_user (is_owner) where is_owner;

-- Links that let somebody register where registration is by invitation. A used one is deleted.
create table invitation (
  token_hash bytea primary key,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null
);
-- The invitation of a registration by phone, between the code and its answer.
alter table phone_challenge add column invitation_hash bytea;

-- When the last backup ended: one row, written by `npm run backup` and by the schedule of compose.yml.
create table last_backup (
  id boolean primary key default true check (id),
  finished_at timestamptz not null default now()
);
