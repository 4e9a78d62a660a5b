-- Notifications that wait to be sent to a browser. They end with its subscription.
create table web_push_notice (
  user_id integer not null,
  endpoint_hash bytea not null,
  id bigint not null generated always as identity,
  notice jsonb not null,
  attempts integer not null default 0,
  next_attempt_at timestamptz not null default now(),
  lease_until timestamptz,
  expires_at timestamptz not null,
  traceparent text,
  primary key (user_id, endpoint_hash, id),
  foreign key (user_id, endpoint_hash) references web_push_subscription (user_id, endpoint_hash) on delete cascade
);
create index web_push_notice_due_idx on web_push_notice (next_attempt_at);
create index web_push_notice_lease_idx on web_push_notice (lease_until) where lease_until is not null;

-- Attempts without an answer since the last one with an answer, as for webhook endpoints.
alter table web_push_subscription add column failures integer not null default 0;
alter table web_push_subscription add column failing_since timestamptz;
alter table web_push_subscription add column paused_until timestamptz;
alter table web_push_subscription add column last_delivered_at timestamptz;
