-- Accounts, bearer tokens and API keys (spec 2.2, 2.3, 3.4 to 3.6). Secrets are stored as SHA-256 only.

create table app_user (
  id integer generated always as identity primary key,
  username text not null,
  email text,
  email_verified boolean not null default false,
  phone_number text,
  phone_verified boolean not null default false,
  first_name text not null default '',
  last_name text not null default '',
  password_hash text,
  state text not null default 'active' check (state in ('active', 'deactivated')),
  created_at timestamptz not null default now(),
  deactivated_at timestamptz,
  constraint app_user_username_key unique (username),
  constraint app_user_email_key unique (email),
  constraint app_user_phone_number_key unique (phone_number),
  check (email = lower(email))
);

create table bearer_token (
  user_id integer not null references app_user,
  token_hash bytea not null,
  created_at timestamptz not null default now(),
  last_used_at timestamptz,
  primary key (user_id, token_hash),
  constraint bearer_token_hash_key unique (token_hash)
);

create table api_key (
  user_id integer not null references app_user,
  id text not null,
  name text not null,
  key_hash bytea not null,
  prefix text not null,
  last4 text not null,
  scopes text[] not null,
  created_at timestamptz not null default now(),
  last_used_at timestamptz,
  expires_at timestamptz,
  primary key (user_id, id),
  constraint api_key_hash_key unique (key_hash)
);
