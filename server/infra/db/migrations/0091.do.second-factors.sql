-- Time-based codes (RFC 6238): one secret per account, encrypted with a key that is not in the database. Not confirmed means
-- that it was shown and nobody has given a code of it yet. `last_step`: the newest 30 seconds whose code was used.
create table totp_secret (
  user_id integer primary key references app_user,
  sealed_secret bytea not null,
  created_at timestamptz not null default now(),
  confirmed_at timestamptz,
  last_step bigint not null default 0
);

-- Recovery codes, as SHA-256 of 117 random bits. A used one stays, so that its holder sees how many are left of how many.
create table recovery_code (
  user_id integer not null references app_user,
  code_hash bytea not null,
  used_at timestamptz,
  primary key (user_id, code_hash)
);

-- Sign-ins whose first step was right and that wait for the second.
create table signin_step (
  user_id integer not null references app_user,
  token_hash bytea not null,
  tries integer not null default 0,
  used_at timestamptz,
  expires_at timestamptz not null,
  primary key (user_id, token_hash),
  constraint signin_step_token_key unique (token_hash)
);
create index signin_step_expires_idx on signin_step (expires_at);

create table passkey (
  user_id integer not null references app_user,
  uid text not null default 'psk_' || left(replace(gen_random_uuid()::text, '-', ''), 22),
  credential_id text not null,
  public_key bytea not null,
  counter bigint not null,
  transports text[] not null default '{}',
  name text not null,
  created_at timestamptz not null default now(),
  last_used_at timestamptz,
  primary key (user_id, uid),
  constraint passkey_credential_key unique (credential_id)
);

-- Challenges of passkeys under way; without a user for a sign-in, where it is the passkey that tells who it is.
create table passkey_challenge (
  token_hash bytea primary key,
  user_id integer references app_user,
  purpose text not null check (purpose in ('register', 'authenticate')),
  challenge text not null,
  expires_at timestamptz not null
);
create index passkey_challenge_user_idx on passkey_challenge (user_id);
create index passkey_challenge_expires_idx on passkey_challenge (expires_at);
