-- Mail and texts on their way out, and what their links and codes stand for (spec 4.6 to 4.11, decisions 4).

-- Written in the transaction of its cause. What it carries is sealed, and erased once it has really left.
create table outbox_message (
  id text primary key,
  user_id integer references app_user,
  channel text not null check (channel in ('mail', 'sms')),
  template text not null,
  sealed_message bytea,
  -- One message per cause, however often the cause is run.
  dedupe_key text,
  status text not null default 'waiting' check (status in ('waiting', 'sending', 'sent', 'failed', 'expired')),
  attempts integer not null default 0,
  claimed_until timestamptz,
  last_error text,
  created_at timestamptz not null default now(),
  -- After this nobody wants it any more: a code that has run out is not sent.
  expires_at timestamptz not null,
  sent_at timestamptz,
  constraint outbox_message_dedupe_key unique (dedupe_key)
);
create index outbox_message_created_idx on outbox_message (created_at);

-- Links in mail: password reset and verification. Bound to the address they went to.
create table mailbox_token (
  user_id integer not null references app_user,
  token_hash bytea not null,
  purpose text not null check (purpose in ('reset', 'verify')),
  email text not null,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  used_at timestamptz,
  primary key (user_id, token_hash),
  constraint mailbox_token_hash_key unique (token_hash)
);
create index mailbox_token_expires_idx on mailbox_token (expires_at);

-- Codes sent by text, as HMAC. A registration under way keeps what it was begun with; purged at its end.
create table phone_challenge (
  token_hash bytea primary key,
  purpose text not null check (purpose in ('signup', 'signin')),
  phone_number text not null,
  code_mac bytea not null,
  tries integer not null default 0,
  email text,
  password_hash text,
  first_name text not null default '',
  last_name text not null default '',
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  used_at timestamptz
);
create index phone_challenge_expires_idx on phone_challenge (expires_at);
create index phone_challenge_phone_idx on phone_challenge (phone_number);

-- Accounts of other services. An ended one stays reserved: a closed account is not to be had again by its Apple id.
create table social_link (
  user_id integer not null references app_user,
  provider text not null check (provider in ('apple', 'ebay', 'etsy')),
  subject text not null,
  sealed_refresh_token bytea,
  created_at timestamptz not null default now(),
  ended_at timestamptz,
  primary key (user_id, provider, subject),
  constraint social_link_identity_key unique (provider, subject)
);

-- Identity tokens that were used, until they would have expired anyway.
create table used_identity_token (
  token_hash bytea primary key,
  expires_at timestamptz not null
);
create index used_identity_token_expires_idx on used_identity_token (expires_at);

-- Failures by account and network; network empty: of the account as a whole.
drop table failed_attempt;
create table failed_attempt (
  kind text not null,
  subject bytea not null,
  network bytea not null,
  count integer not null,
  admitted boolean not null,
  blocked_until timestamptz,
  expires_at timestamptz not null,
  primary key (kind, subject, network)
);
create index failed_attempt_expires_idx on failed_attempt (expires_at);
