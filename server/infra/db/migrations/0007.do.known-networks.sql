-- From where the holder of an account has signed in or registered: whoever comes from there again is served first while
-- others are guessing. The network is an HMAC.
create table known_network (
  user_id integer not null references app_user,
  network bytea not null,
  seen_at timestamptz not null default now(),
  primary key (user_id, network)
);
create index known_network_seen_idx on known_network (seen_at);
