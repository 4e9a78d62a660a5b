-- The key pair that identifies this server to push services (RFC 8292), made once. Browsers accept pushes only with the
-- key that they subscribed with.
create table web_push_key (
  only_row boolean primary key default true check (only_row),
  public_key text not null,
  encrypted_private_key bytea not null,
  created_at timestamptz not null default now()
);

-- Browsers that a seller asked to notify. A subscription ends with the session that made it.
create table web_push_subscription (
  user_id integer not null references app_user (id),
  endpoint_hash bytea not null,
  token_hash bytea not null,
  encrypted_subscription bytea not null,
  created_at timestamptz not null default now(),
  primary key (user_id, endpoint_hash),
  foreign key (user_id, token_hash) references bearer_token (user_id, token_hash) on delete cascade
);
create index web_push_subscription_token_idx on web_push_subscription (user_id, token_hash);

-- Kinds of alerts, and `sale`, that are pushed. Null: the usual ones.
alter table seller_settings add column push_kinds text[];

-- When a sale was considered for pushing. Sales of before count as told.
alter table sale add column pushed_at timestamptz default now();
alter table sale alter column pushed_at drop default;
create index sale_unpushed_idx on sale (id) where pushed_at is null;
