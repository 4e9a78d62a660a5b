-- What was done to an account and by whom. It outlives the keys and shops that it names, so it refers to none of them.
create table audit_log (
  user_id integer not null references app_user (id) on delete cascade,
  id bigint generated always as identity,
  action text not null,
  -- 'ok', or the code of the error that refused it.
  outcome text not null,
  -- The API key that acted; null for a session, and where nobody was signed in.
  key_id text,
  -- Id of the key, shop or webhook that it was done to, or the operation that was refused.
  target text,
  address text not null,
  user_agent text not null,
  request_id text not null,
  at timestamptz not null,
  last_at timestamptz not null,
  times integer not null default 1,
  -- Repeated refusals within an hour share a row, so a flood does not fill the disk; null for what succeeded.
  merge_key text,
  expires_at timestamptz not null,
  primary key (user_id, id)
);
create unique index audit_log_merge_idx on audit_log (user_id, merge_key);
create index audit_log_expires_idx on audit_log (expires_at);
