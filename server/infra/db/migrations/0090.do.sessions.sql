-- Each bearer token is a session that its holder can see and end: how it was opened, when its holder last proved who
-- they are, and from where. `address` is cut to the network, `user_agent` is what the client said.
alter table bearer_token
  add column uid text not null default 'ses_' || left(replace(gen_random_uuid()::text, '-', ''), 22),
  add column proven_at timestamptz not null default now(),
  add column method text not null default 'unknown',
  add column address text,
  add column user_agent text,
  add constraint bearer_token_uid_key unique (uid);

-- Combinations of network and browser from which an account was signed in to, as HMAC: a sign-in from another one is told
-- to the account's holder.
create table known_device (
  user_id integer not null references app_user,
  device bytea not null,
  seen_at timestamptz not null default now(),
  primary key (user_id, device)
);
create index known_device_seen_idx on known_device (seen_at);
