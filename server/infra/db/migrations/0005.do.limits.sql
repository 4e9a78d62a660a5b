-- Limits, usage and idempotency (decisions 2 and 3).

-- Requests of the running minute by subject (key, user, address). Unlogged: counting costs no write-ahead log, and a
-- crash of the database merely starts a new minute.
create unlogged table request_count (
  subject text primary key,
  count integer not null,
  ends_at timestamptz not null
) with (fillfactor = 50);
create index request_count_ends_idx on request_count (ends_at);

-- The times of recent events of a kind by subject, for small limits over a sliding time ("3 an hour"). A subject that
-- is an address or a number is an HMAC.
create table recent_event (
  kind text not null,
  subject bytea not null,
  times timestamptz[] not null,
  admitted boolean not null,
  expires_at timestamptz not null,
  primary key (kind, subject)
);
create index recent_event_expires_idx on recent_event (expires_at);

-- Failed sign-ins by account and network, and by account; unknown accounts count the same. Subjects are HMACs.
create table failed_attempt (
  kind text not null,
  subject bytea not null,
  count integer not null,
  admitted boolean not null,
  blocked_until timestamptz,
  expires_at timestamptz not null,
  primary key (kind, subject)
);
create index failed_attempt_expires_idx on failed_attempt (expires_at);

-- Calls by key and UTC day. The name stays when the key is gone.
create table api_usage (
  user_id integer not null references app_user,
  key_id text not null,
  day date not null,
  name text not null,
  count bigint not null,
  errors bigint not null,
  primary key (user_id, key_id, day)
);

-- First answers by Idempotency-Key. A secret answer leaves only the fact that it was given.
create table idempotent_call (
  user_id integer not null references app_user,
  key text not null,
  request_hash bytea not null,
  -- Who runs it now, and until when nobody else may; null once answered.
  lease uuid,
  leased_until timestamptz,
  status integer,
  reply jsonb,
  created_at timestamptz not null default now(),
  primary key (user_id, key)
);
create index idempotent_call_created_idx on idempotent_call (created_at);
