-- What the service tells others (issue "Events out"): one log of events per user, read by the stream and sent to the
-- user's webhook endpoints. Events are written in the transaction of their cause.

-- The number of a user's newest event. Its row lock makes numbers follow commits: who has read up to a number has missed
-- nothing below it.
create table event_counter (
  user_id integer not null references app_user,
  last_seq bigint not null default 0,
  primary key (user_id)
);

create table event (
  user_id integer not null references app_user,
  seq bigint not null,
  uid text collate "C" not null,
  type text not null,
  -- Events of one item reach an endpoint in their order.
  item_uid text collate "C",
  data jsonb not null,
  created_at timestamptz not null default now(),
  primary key (user_id, seq),
  constraint event_uid_key unique (user_id, uid)
);
create index event_created_idx on event (created_at);

create table webhook_endpoint (
  user_id integer not null references app_user,
  uid text collate "C" not null,
  url text not null,
  description text not null default '',
  -- Null: all.
  event_types text[],
  sealed_secret bytea not null,
  enabled boolean not null default true,
  -- Why it was switched off by us.
  disabled_reason text,
  failing_since timestamptz,
  created_at timestamptz not null default now(),
  primary key (user_id, uid)
);

create table webhook_delivery (
  user_id integer not null,
  endpoint_uid text collate "C" not null,
  -- In the order of writing; a replay is a new delivery of an old event.
  id bigint generated always as identity,
  event_seq bigint not null,
  event_type text not null,
  item_uid text collate "C",
  cause text not null default 'event' check (cause in ('event', 'replay', 'test')),
  state text not null default 'pending' check (state in ('pending', 'delivered', 'failed')),
  attempts integer not null default 0,
  next_attempt_at timestamptz not null default now(),
  lease_until timestamptz,
  response_status integer,
  error text,
  duration_ms integer,
  created_at timestamptz not null default now(),
  finished_at timestamptz,
  primary key (user_id, endpoint_uid, id),
  foreign key (user_id, endpoint_uid) references webhook_endpoint (user_id, uid) on delete cascade,
  foreign key (user_id, event_seq) references event (user_id, seq) on delete cascade,
  check ((state = 'pending') = (finished_at is null))
);
create index webhook_delivery_due_idx on webhook_delivery (next_attempt_at) where state = 'pending';
create index webhook_delivery_item_idx on webhook_delivery (user_id, endpoint_uid, item_uid, id) where state = 'pending';
create index webhook_delivery_event_idx on webhook_delivery (user_id, event_seq);
