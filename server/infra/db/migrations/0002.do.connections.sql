-- Connections to selling platforms (spec 2.5, 4.13; decisions 5). No secret stands here in clear: tokens and the PKCE
-- verifier are sealed (server/infra/crypto/seal.ts), tickets, states and browser cookies are kept as SHA-256 only.

create table seller_account (
  user_id integer not null references app_user,
  uid text not null,
  platform text not null,
  -- The platform's own id of the shop; for a scraped shop its user name in lower case.
  external_id text not null,
  external_name text not null,
  url text not null,
  status text not null check (status in ('connected', 'reconnect_required', 'revoked')),
  connected_at timestamptz not null default now(),
  last_synced_at timestamptz,
  -- When the platform last answered for this connection (identify), and when anything was last tried.
  last_seen_at timestamptz,
  last_checked_at timestamptz,
  sealed_access_token bytea,
  sealed_refresh_token bytea,
  access_expires_at timestamptz,
  refresh_expires_at timestamptz,
  -- Grows by one with every grant that is stored: whoever acts on an older one changes nothing.
  token_epoch integer not null default 0,
  primary key (user_id, uid),
  -- Connecting a shop again revives its row, so that its listings and imports stay its own.
  constraint seller_account_own_shop_key unique (user_id, platform, external_id),
  check (status <> 'revoked' or (sealed_access_token is null and sealed_refresh_token is null))
);

-- One shop belongs to one account at a time.
create unique index seller_account_shop_key on seller_account (platform, external_id) where status <> 'revoked';
-- What the periodic check looks for.
create index seller_account_check_idx on seller_account (last_checked_at nulls first)
  where status <> 'revoked' and sealed_refresh_token is not null;

-- Single-use addresses that start connecting a platform in a browser.
create table connect_ticket (
  user_id integer not null references app_user,
  ticket_hash bytea not null,
  platform text not null,
  expires_at timestamptz not null,
  used_at timestamptz,
  primary key (user_id, ticket_hash),
  constraint connect_ticket_hash_key unique (ticket_hash)
);
create index connect_ticket_expires_idx on connect_ticket (expires_at);

-- The `state` of each authorization under way, bound to user, platform and browser.
create table oauth_state (
  user_id integer not null references app_user,
  state_hash bytea not null,
  platform text not null,
  browser_hash bytea not null,
  sealed_code_verifier bytea,
  expires_at timestamptz not null,
  used_at timestamptz,
  primary key (user_id, state_hash),
  constraint oauth_state_hash_key unique (state_hash)
);
create index oauth_state_expires_idx on oauth_state (expires_at);

-- The browser session of the page /connect/. It stands on a bearer token and ends with it (password change, sign-out,
-- deactivation).
create table connect_session (
  user_id integer not null references app_user,
  session_hash bytea not null,
  token_hash bytea not null,
  expires_at timestamptz not null,
  primary key (user_id, session_hash),
  constraint connect_session_hash_key unique (session_hash),
  foreign key (user_id, token_hash) references bearer_token (user_id, token_hash) on delete cascade
);
create index connect_session_token_idx on connect_session (user_id, token_hash);
