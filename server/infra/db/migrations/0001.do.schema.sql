-- The whole schema. Functions and triggers are in ../functions, one file each. They are applied after the migrations,
-- whenever a migration ran or one of them changed.
--
-- Contents: schema, keys, accounts, sign-in, mail and text messages, web push, limits and audit, operators, billing,
-- connections, inventory, photos, imports, orders and sales, sale mail, listing operations, bulk jobs, changes that can be
-- undone, events and webhooks, marketplace call quotas.
--
-- Conventions:
-- - Every table of a user has the user in front of its primary key, and in front of its indexes where a user asks.
-- - A `uid` grows with time (shared/identity.ts), so the primary key is also the order of creation. Ids are compared byte
--   by byte (collate "C"), since an index under one collation serves no comparison under another.
-- - Prices are integers in the currency's smallest unit (`price_minor`).
-- - A secret is stored either encrypted (`encrypted_...`) or as a hash, never in clear.
-- - `traceparent` is the span that caused the work (W3C Trace Context), so that its worker continues the trace. Null while
--   no traces are sent.
-- - `lease_epoch` grows with every worker that claims a row. A worker names its epoch in every write, so a worker that lost
--   the row changes nothing. `lease_until` only keeps workers from disturbing each other.
-- - By default a table is vacuumed once a fifth of it has changed. Of a hundred million events that is one long vacuum and
--   much dead space, so the large tables are vacuumed after a fiftieth. The smaller tables of queues keep the default.

-- Puts the user in front of the words of the inventory search. PostgreSQL ships it, and a database's owner may add it.
create extension if not exists btree_gin;

---------------------------------------------------------------- Schema

-- The oldest build that works on this schema, by its newest migration. A migration that removes what the release before it
-- uses sets this to its own number. Older builds then refuse to start.
create table schema_compatibility (
  only_row boolean primary key default true check (only_row),
  oldest_build integer not null,
  -- Hash of the files in ../functions as last applied. Null: not applied since the newest migration.
  routines_checksum text
);
insert into schema_compatibility (oldest_build) values (1);

-- Places a new table of a database that `npm run distribute` has distributed: 'user' puts each row on the shard of its user,
-- 'reference' copies the table to every node. Does nothing on plain PostgreSQL. A migration calls it after `create table`,
-- and adds the foreign keys to other tables of users afterwards. Not in ../functions, which is applied after migrations.
create function place_table(p_table regclass, p_placement text) returns void language plpgsql as $$
begin
  if to_regclass('pg_catalog.pg_dist_partition') is null then
    return;
  end if;
  if not exists (select from pg_dist_partition where logicalrelid = 'inventory_item'::regclass and partmethod = 'h') then
    return;
  end if;
  if p_placement = 'user' then
    perform create_distributed_table(p_table, 'user_id', colocate_with => 'inventory_item');
  else
    perform create_reference_table(p_table);
  end if;
end
$$;

---------------------------------------------------------------- Keys

-- The encryption keys that this database was used with, newest first by `adopted_at`. Older keys belong to a rotation.
create table secret_key (
  key_id bytea primary key,
  -- A known text, encrypted with the key: shows that a process has the key.
  encrypted_check bytea not null,
  -- The key of keyed hashes. Null: SECRET_KEY itself.
  encrypted_hash_key bytea,
  adopted_at timestamptz not null default clock_timestamp()
);

---------------------------------------------------------------- Accounts

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
  -- When the owner of the mailbox became the only one with a way in: they set the password by a mailed link, or entered it
  -- when they confirmed the address. Null: a stranger may know the password or hold the phone number.
  secured_at timestamptz,
  -- When the erasure of a closed account's personal data began, and when it ended.
  erasing_since timestamptz,
  erased_at timestamptz,
  -- The first connection of any of the account's shops, where that was before the account existed.
  trial_from timestamptz,
  -- The account that owns the installation: it invites others and is warned of late backups. There is one at most.
  is_owner boolean not null default false,
  constraint app_user_username_key unique (username),
  constraint app_user_email_key unique (email),
  constraint app_user_phone_number_key unique (phone_number),
  check (email = lower(email))
);
create unique index app_user_owner_key on app_user (is_owner) where is_owner;
create index app_user_to_erase_idx on app_user (deactivated_at) where state = 'deactivated' and erased_at is null;

-- Contacts and identities of erased accounts, as keyed hashes. They stay reserved and identify nobody.
create table reserved_contact (
  contact_hash bytea primary key,
  reserved_at timestamptz not null default now()
);

-- Links that let somebody register where registration is by invitation. A used one is deleted.
create table invitation (
  token_hash bytea primary key,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null
);

create table api_key (
  user_id integer not null references app_user,
  id text not null,
  name text not null,
  -- SHA-256 of the key.
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

-- The seller's address. Listing requires one.
create table postal_address (
  user_id integer not null references app_user,
  full_name text not null,
  line1 text not null,
  line2 text,
  city text not null,
  region text,
  postal_code text not null,
  country text not null check (country ~ '^[A-Z]{2}$'),
  phone text,
  updated_at timestamptz not null default now(),
  primary key (user_id)
);

---------------------------------------------------------------- Sign-in

-- A session. Sellers see their sessions and can end them.
create table bearer_token (
  user_id integer not null references app_user,
  -- SHA-256 of the token.
  token_hash bytea not null,
  uid text not null default 'ses_' || left(replace(gen_random_uuid()::text, '-', ''), 22),
  created_at timestamptz not null default now(),
  last_used_at timestamptz,
  -- When the holder last entered a password, a code or a passkey.
  verified_at timestamptz not null default now(),
  -- How the session was opened.
  method text not null default 'unknown',
  -- The client's network and its User-Agent header.
  address text,
  user_agent text,
  primary key (user_id, token_hash),
  constraint bearer_token_hash_key unique (token_hash),
  constraint bearer_token_uid_key unique (uid)
);

-- Links in mail: password reset and verification. Bound to the address that they were sent to.
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

-- Codes sent by text message, as HMAC. A registration keeps its data here until the code is confirmed.
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
  used_at timestamptz,
  -- The invitation of a registration, between the code and its answer.
  invitation_hash bytea
);
create index phone_challenge_expires_idx on phone_challenge (expires_at);
create index phone_challenge_phone_idx on phone_challenge (phone_number);

-- Identities at other services. An ended link stays reserved, so a closed account cannot be opened again by its Apple id.
create table social_link (
  user_id integer not null references app_user,
  provider text not null check (provider in ('apple', 'ebay', 'etsy')),
  subject text not null,
  encrypted_refresh_token bytea,
  created_at timestamptz not null default now(),
  ended_at timestamptz,
  primary key (user_id, provider, subject),
  constraint social_link_identity_key unique (provider, subject)
);

-- Identity tokens that were used, until they expire.
create table used_identity_token (
  token_hash bytea primary key,
  expires_at timestamptz not null
);
create index used_identity_token_expires_idx on used_identity_token (expires_at);

-- Sign-ins that passed the first step and wait for a second factor.
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

-- Time-based codes (RFC 6238), one secret per account. Until `confirmed_at` the seller has not entered a code of it yet.
create table totp_secret (
  user_id integer primary key references app_user,
  encrypted_secret bytea not null,
  created_at timestamptz not null default now(),
  confirmed_at timestamptz,
  -- The newest 30-second step whose code was used: no code works twice.
  last_step bigint not null default 0
);

-- Recovery codes, as SHA-256 of 117 random bits. Used codes stay, so that a seller sees how many are left.
create table recovery_code (
  user_id integer not null references app_user,
  code_hash bytea not null,
  used_at timestamptz,
  primary key (user_id, code_hash)
);

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

-- Passkey challenges in progress. A sign-in has no user yet: the passkey tells whose it is.
create table passkey_challenge (
  token_hash bytea primary key,
  user_id integer references app_user,
  purpose text not null check (purpose in ('register', 'authenticate')),
  challenge text not null,
  expires_at timestamptz not null
);
create index passkey_challenge_user_idx on passkey_challenge (user_id);
create index passkey_challenge_expires_idx on passkey_challenge (expires_at);

-- Networks from which an account was signed in to, as HMAC. They are served first while strangers guess passwords.
create table known_network (
  user_id integer not null references app_user,
  network bytea not null,
  seen_at timestamptz not null default now(),
  primary key (user_id, network)
);
create index known_network_seen_idx on known_network (seen_at);

-- Pairs of network and browser from which an account was signed in to, as HMAC. A sign-in from a new pair is mailed to the
-- account's holder.
create table known_device (
  user_id integer not null references app_user,
  device bytea not null,
  seen_at timestamptz not null default now(),
  primary key (user_id, device)
);
create index known_device_seen_idx on known_device (seen_at);

-- Failed sign-ins by account and network. An empty network counts for the account as a whole. Unlogged, so that a flood of
-- guesses costs no write-ahead log; a crash of the database restarts the counts.
create unlogged table failed_attempt (
  kind text not null,
  subject bytea not null,
  network bytea not null,
  count integer not null,
  allowed boolean not null,
  blocked_until timestamptz,
  expires_at timestamptz not null,
  primary key (kind, subject, network)
) with (fillfactor = 50);
create index failed_attempt_expires_idx on failed_attempt (expires_at);

---------------------------------------------------------------- Mail and text messages

-- Messages to send, written in the transaction of their cause. The content is erased once the message was handed over.
create table outbox_message (
  id text primary key,
  user_id integer references app_user,
  channel text not null check (channel in ('mail', 'sms')),
  template text not null,
  encrypted_message bytea,
  -- One message per cause, however often the cause runs.
  dedupe_key text,
  status text not null default 'waiting' check (status in ('waiting', 'sending', 'sent', 'failed', 'expired')),
  attempts integer not null default 0,
  claimed_until timestamptz,
  last_error text,
  created_at timestamptz not null default now(),
  -- Not sent after this time: a code in it no longer works.
  expires_at timestamptz not null,
  sent_at timestamptz,
  constraint outbox_message_dedupe_key unique (dedupe_key)
);
create index outbox_message_created_idx on outbox_message (created_at);
create index outbox_message_unsent_idx on outbox_message (status) where status in ('waiting', 'sending');

---------------------------------------------------------------- Web push

-- The key pair that identifies this server to push services (RFC 8292), made once. Browsers accept pushes only with the
-- key that they subscribed with.
create table web_push_key (
  only_row boolean primary key default true check (only_row),
  public_key text not null,
  encrypted_private_key bytea not null,
  created_at timestamptz not null default now()
);

-- Browsers that a seller asked to notify. A subscription ends when the seller signs out or ends the session that made it,
-- and outlives the lifetime of that session.
create table web_push_subscription (
  user_id integer not null references app_user (id),
  endpoint_hash bytea not null,
  -- The session that made it. Null once the session has expired.
  token_hash bytea,
  encrypted_subscription bytea not null,
  created_at timestamptz not null default now(),
  -- Attempts without an answer since the last one with an answer, as for webhook endpoints.
  failures integer not null default 0,
  failing_since timestamptz,
  paused_until timestamptz,
  last_delivered_at timestamptz,
  primary key (user_id, endpoint_hash),
  foreign key (user_id, token_hash) references bearer_token (user_id, token_hash) on delete cascade
);
create index web_push_subscription_token_idx on web_push_subscription (user_id, token_hash);

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

---------------------------------------------------------------- Limits and audit

-- Requests of the current minute by subject (key, user, address). Unlogged: counting costs no write-ahead log, and a crash
-- of the database starts a new minute.
create unlogged table request_count (
  subject text primary key,
  count integer not null,
  ends_at timestamptz not null
) with (fillfactor = 50);
create index request_count_ends_idx on request_count (ends_at);

-- Times of recent events of a kind by subject, for small limits over a sliding window ("3 an hour"). A subject that is an
-- address or a phone number is an HMAC.
create table recent_event (
  kind text not null,
  subject bytea not null,
  times timestamptz[] not null,
  allowed boolean not null,
  expires_at timestamptz not null,
  primary key (kind, subject)
);
create index recent_event_expires_idx on recent_event (expires_at);

-- Calls by key and day (UTC). The name stays when the key is deleted.
create table api_usage (
  user_id integer not null references app_user,
  key_id text not null,
  day date not null,
  name text not null,
  count bigint not null,
  errors bigint not null,
  primary key (user_id, key_id, day)
);
create index api_usage_day_idx on api_usage (day);

-- First replies by Idempotency-Key. A reply with a secret leaves only the fact that it was given.
create table idempotent_call (
  user_id integer not null references app_user,
  key text not null,
  request_hash bytea not null,
  -- The process that runs the call, and until when no other may. Null once answered.
  lease uuid,
  leased_until timestamptz,
  status integer,
  reply jsonb,
  created_at timestamptz not null default now(),
  primary key (user_id, key)
);
create index idempotent_call_created_idx on idempotent_call (created_at);

-- Bytes that an account sent to be stored, by day (UTC).
create table written_bytes (
  user_id integer not null references app_user (id),
  day date not null,
  bytes bigint not null,
  primary key (user_id, day)
);
create index written_bytes_day_idx on written_bytes (day);

-- Actions on an account and who did them. Rows outlive the keys and shops that they name, so they reference none of them.
create table audit_log (
  user_id integer not null references app_user (id) on delete cascade,
  id bigint generated always as identity,
  action text not null,
  -- 'ok', or the code of the error that refused the action.
  outcome text not null,
  -- The API key that acted. Null for a session, and where nobody was signed in.
  key_id text,
  -- Id of the key, shop or webhook concerned, or the operation that was refused.
  target text,
  address text not null,
  user_agent text not null,
  request_id text not null,
  at timestamptz not null,
  last_at timestamptz not null,
  times integer not null default 1,
  -- Repeated refusals within an hour share a row, so a flood does not fill the disk. Null for what succeeded.
  merge_key text,
  expires_at timestamptz not null,
  primary key (user_id, id)
);
create unique index audit_log_merge_idx on audit_log (user_id, merge_key);
create index audit_log_expires_idx on audit_log (expires_at);

---------------------------------------------------------------- Operators

-- Platforms that an operator has paused: no process calls them until they are resumed.
create table platform_pause (
  platform text primary key check (platform in ('ebay', 'etsy')),
  paused_at timestamptz not null default now()
);

-- Changes that operators made with `npm run admin`. `subject` names no person: the row outlives an erased account.
create table operator_action (
  id bigint generated always as identity primary key,
  at timestamptz not null default now(),
  operator text not null,
  command text not null,
  subject text not null
);
create index operator_action_at_idx on operator_action (at);

-- When the last backup ended: one row, written by `npm run backup` and by the schedule of compose.yml.
create table last_backup (
  id boolean primary key default true check (id),
  finished_at timestamptz not null default now()
);

-- The database's clock when it was read last: one row. A clock that shows less has gone back.
create table clock_reading (
  id boolean primary key default true check (id),
  at timestamptz not null default now()
);
insert into clock_reading default values;

---------------------------------------------------------------- Billing

-- Subscriptions given by the operator's command.
create table subscription_grant (
  user_id integer not null references app_user,
  ends_at timestamptz not null,
  granted_at timestamptz not null default now(),
  primary key (user_id)
);

-- A seller's Stripe customers. Stripe reports customers and subscriptions in any order, so each is stored as it arrives and
-- they are joined when read.
create table stripe_customer (
  user_id integer not null references app_user,
  customer_id text not null,
  primary key (user_id, customer_id),
  constraint stripe_customer_key unique (customer_id)
);

-- Subscriptions as Stripe last reported them. They belong to Stripe's customers, not to users.
create table stripe_subscription (
  customer_id text not null,
  subscription_id text not null,
  status text not null,
  ends_at timestamptz not null,
  -- Whether it renews after the paid period. Null where Stripe has not said so yet.
  renews boolean,
  -- When Stripe made the event behind this row. Older events change nothing.
  reported_at timestamptz not null,
  primary key (customer_id, subscription_id)
);

-- A seller's checkout at Stripe: the customer made for them and the open payment page.
create table stripe_checkout (
  user_id integer not null references app_user,
  -- Stripe's Idempotency-Key: asking again, or twice at once, gives the same checkout.
  attempt text not null,
  customer_id text,
  session_id text,
  primary key (user_id)
);

-- Customers who paid before they verified their mail address. Kept until they do, for 90 days at most.
create table unclaimed_customer (
  customer_id text primary key,
  email text not null,
  created_at timestamptz not null default now()
);
create index unclaimed_customer_email_idx on unclaimed_customer (email);
create index unclaimed_customer_created_idx on unclaimed_customer (created_at);

-- When each marketplace shop was first connected to any account, by a keyed hash. A shop has one trial, however many
-- accounts its seller opens; the hash says nothing about the seller once an account is erased.
create table trial_shop (
  shop_hash bytea primary key,
  first_connected_at timestamptz not null default now()
);

---------------------------------------------------------------- Connections

-- A shop on a selling platform.
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
  -- When the platform last answered for this connection, and when it was last asked.
  last_seen_at timestamptz,
  last_checked_at timestamptz,
  encrypted_access_token bytea,
  encrypted_refresh_token bytea,
  access_expires_at timestamptz,
  refresh_expires_at timestamptz,
  -- Grows by one with every stored grant. Work on an older grant changes nothing.
  token_epoch integer not null default 0,
  -- When the shop's live listings were last compared with ours.
  reconciled_at timestamptz,
  -- When a marketplace last reported changed listings. They are compared soon, not within the hour.
  listings_changed_at timestamptz,
  -- When the shop was last asked for purchases that await payment.
  unpaid_read_at timestamptz,
  -- Whether eBay notifies us of the shop's sales, and when that was last checked.
  sale_notices text check (sale_notices in ('subscribed', 'consent_needed')),
  notices_checked_at timestamptz,
  -- The erasure notice for which the shop's data is being erased, in steps of a job.
  erasing_for text,
  -- The currency that the shop sells in by default. Unknown until the platform next identifies the shop.
  currency text check (currency ~ '^[A-Z]{3}$'),
  -- A shop on vacation keeps its listings live on the marketplace, and nobody can buy them.
  on_vacation boolean not null default false,
  -- Ids of listings that were read, and belong to no item. Marketplaces relist under new ids.
  read_listing_ids text[] not null default '{}',
  primary key (user_id, uid),
  -- Connecting a shop again revives its row, so its listings and imports stay its own.
  constraint seller_account_own_shop_key unique (user_id, platform, external_id),
  check (status <> 'revoked' or (encrypted_access_token is null and encrypted_refresh_token is null))
);
-- A shop belongs to one account where signing in at the platform has shown whose it is. Any account may name a shop that the
-- extension reads: a name proves nothing, and must not keep the owner out.
create unique index seller_account_verified_shop_key on seller_account (platform, external_id)
  where status <> 'revoked' and platform in ('ebay', 'etsy');
-- Push notifications name a shop by its id or its name.
create index seller_account_shop_idx on seller_account (platform, external_id) where status <> 'revoked';
create index seller_account_name_idx on seller_account (platform, external_name) where status <> 'revoked';
-- The shops that periodic jobs look at next.
create index seller_account_check_idx on seller_account (last_checked_at nulls first)
  where status <> 'revoked' and encrypted_refresh_token is not null;
create index seller_account_reconcile_idx on seller_account (reconciled_at nulls first) where status = 'connected';
create index seller_account_notices_idx on seller_account (notices_checked_at nulls first)
  where platform = 'ebay' and status = 'connected';
create index seller_account_erasing_idx on seller_account (uid) where erasing_for is not null;

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

-- The `state` of each OAuth authorization in progress, bound to user, platform and browser.
create table oauth_state (
  user_id integer not null references app_user,
  state_hash bytea not null,
  platform text not null,
  browser_hash bytea not null,
  encrypted_code_verifier bytea,
  expires_at timestamptz not null,
  used_at timestamptz,
  primary key (user_id, state_hash),
  constraint oauth_state_hash_key unique (state_hash)
);
create index oauth_state_expires_idx on oauth_state (expires_at);

---------------------------------------------------------------- Inventory

-- The API's record of an item is built from these columns (server/catalog/inventory/build-record.ts).
create table inventory_item (
  user_id integer not null references app_user,
  uid text collate "C" not null,
  sku text,
  product_id text not null check (product_id <> ''),
  offer_id text not null check (offer_id <> ''),
  title text not null check (title <> ''),
  description text not null default '',
  attributes jsonb not null default '{}',
  images text[] not null check (cardinality(images) > 0),
  condition_label text not null check (condition_label <> ''),
  condition_notes text not null default '',
  inspected_at date not null,
  evidence_urls text[] not null default '{}',
  price_minor bigint not null check (price_minor >= 0),
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  -- Moves only as functions/check_item_move.sql allows.
  state text not null check (state in ('available', 'reserved', 'sold', 'withdrawn')),
  observed_at timestamptz not null,
  seller_url text not null,
  shipping_policy_url text not null,
  returns_policy_url text not null,
  aliases text[] not null default '{}',
  -- The item that this one was merged into.
  redirect_uid text collate "C",
  version integer not null default 1 check (version > 0),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  -- Words for the seller's search (index_item_words).
  search_words tsvector not null default '',
  -- The row of a file that made the item, where no SKU names it: importing the row again does not add the item again.
  file_row text,
  primary key (user_id, uid)
) with (autovacuum_vacuum_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02);
create unique index inventory_item_sku_key on inventory_item (user_id, sku) where sku is not null;
create unique index inventory_item_file_row_key on inventory_item (user_id, file_row) where file_row is not null;
create index inventory_item_state_idx on inventory_item (user_id, state, uid);
create index inventory_item_updated_idx on inventory_item (user_id, updated_at);
create index inventory_item_product_idx on inventory_item (user_id, product_id, uid);
create index inventory_item_search_idx on inventory_item using gin (user_id, search_words);
-- A public item is asked for by its uid alone.
create index inventory_item_uid_idx on inventory_item using hash (uid);

-- A listing on a platform and the one item that it sells.
create table channel_listing (
  user_id integer not null,
  seller_account_uid text not null,
  -- The platform's own id.
  listing_id text collate "C" not null,
  item_uid text collate "C" not null,
  platform text not null,
  url text not null,
  state text not null check (state in ('available', 'reserved', 'sold', 'removed')),
  -- Live beside another live listing of the item on the same platform: the seller said that both are one item.
  extra boolean not null default false,
  sku text,
  price_minor bigint not null check (price_minor >= 0),
  currency text not null,
  listed_at timestamptz,
  -- When an import first read the listing as for sale. An order from well before that bought something else.
  for_sale_since timestamptz,
  observed_at timestamptz not null,
  -- When to read the details that an import left out because the day's calls were used up.
  details_due_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  -- How the listing is sold, as far as that decides what can be done with it (ListingTerms in shared/listing.ts): an auction
  -- with its bids and end, the marketplace's site, variations, a hold. Null where nothing was read.
  terms jsonb,
  primary key (user_id, seller_account_uid, listing_id),
  foreign key (user_id, item_uid) references inventory_item (user_id, uid) on delete cascade,
  foreign key (user_id, seller_account_uid) references seller_account (user_id, uid)
) with (autovacuum_vacuum_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02);
-- An item has at most one live listing on a platform.
create unique index channel_listing_live_key on channel_listing (user_id, item_uid, platform)
  where state in ('available', 'reserved') and not extra;
create index channel_listing_item_idx on channel_listing (user_id, item_uid);
create index channel_listing_platform_idx on channel_listing (user_id, platform, item_uid);
create index channel_listing_details_idx on channel_listing (user_id, seller_account_uid, details_due_at)
  where details_due_at is not null;
-- A shop has one user. Without this the planner expects an index on both columns to find almost nothing.
create statistics channel_listing_shop (dependencies) on user_id, seller_account_uid from channel_listing;

-- Every state of an item, with actor and reason. The key is the version that came with the state.
create table inventory_history (
  user_id integer not null,
  item_uid text collate "C" not null,
  version integer not null,
  at timestamptz not null default now(),
  -- user, import, sale, ...
  actor text not null,
  from_state text,
  to_state text not null,
  reason text not null,
  -- The cause, such as an import job or an order.
  reference text,
  -- Old and new values by field, of acts that move no state.
  changes jsonb,
  -- The witness of an act: `api`, `page`, `mail` or `seller`.
  witness text,
  primary key (user_id, item_uid, version),
  foreign key (user_id, item_uid) references inventory_item (user_id, uid) on delete cascade
);

-- When a seller's whole inventory was last checked for faults such as an item that is sold and still live.
create table inventory_check (
  user_id integer not null references app_user,
  checked_at timestamptz not null,
  primary key (user_id)
);

-- Faults that checks found. They are checked again whenever they are listed.
create table inventory_fault (
  user_id integer not null,
  uid text collate "C" not null,
  kind text not null check (kind in ('sold_live', 'listed_twice', 'price_differs', 'photos_missing')),
  item_uid text collate "C" not null,
  -- The platform, or another item.
  reference text not null default '',
  found_at timestamptz not null default now(),
  -- The facts that the seller knows and accepts.
  dismissed_facts text,
  primary key (user_id, uid),
  constraint inventory_fault_once_key unique (user_id, item_uid, kind, reference),
  foreign key (user_id, item_uid) references inventory_item (user_id, uid) on delete cascade
);

-- Views of the inventory that a seller saved under a name: filter, columns and order.
create table saved_view (
  user_id integer not null references app_user,
  uid text collate "C" not null,
  name text not null,
  view jsonb not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (user_id, uid)
);
create unique index saved_view_name_key on saved_view (user_id, name);

-- Defaults for fields that a listing lacks.
create table seller_settings (
  user_id integer not null references app_user,
  shipping_policy_url text,
  returns_policy_url text,
  default_currency text check (default_currency ~ '^[A-Z]{3}$'),
  -- A listing without a SKU then becomes a conflict (missing_sku), not an item.
  sku_required boolean not null default false,
  -- Kinds of alerts that are mailed; null for the usual ones.
  alert_mails text[],
  updated_at timestamptz not null default now(),
  -- How the price of each platform follows from the price of an item, by platform: {"ebay": {"basis_points", "rounding"}}.
  price_rules jsonb not null default '{}',
  -- Kinds of alerts, and `sale`, that are pushed. Null: the usual ones.
  push_kinds text[],
  -- The units of measurements in listings. Null: those of the seller's country.
  units text check (units in ('us', 'metric')),
  -- Texts that the seller puts into descriptions.
  texts jsonb not null default '[]',
  primary key (user_id)
);

---------------------------------------------------------------- Photos

-- Photos that a seller uploaded, or that were copied from listings. The files are in the image store, by uid. The uid is
-- random and opens the served sizes to anybody who knows it, as marketplaces must.
create table image (
  user_id integer not null references app_user (id),
  uid text collate "C" not null,
  -- SHA-256 of the original. The same file is stored once per account and rotation.
  original_hash bytea not null,
  -- Degrees clockwise that the seller turned the original.
  rotation smallint not null default 0 check (rotation in (0, 90, 180, 270)),
  -- Media type of the original; served sizes are JPEG.
  type text not null,
  width integer not null check (width > 0),
  height integer not null check (height > 0),
  -- Of all its files.
  bytes bigint not null check (bytes > 0),
  created_at timestamptz not null default now(),
  -- Null while its files are being written, and after a crash meanwhile.
  stored_at timestamptz,
  -- Last seen in use by an item.
  used_at timestamptz not null default now(),
  primary key (user_id, uid)
);
create index image_uid_idx on image using hash (uid);
create unique index image_original_key on image (user_id, original_hash, rotation);
create index image_used_idx on image (used_at);

-- Images whose rows are deleted and whose files are not yet. A trigger fills it, so that no deletion leaves files behind.
create table removed_image (
  uid text collate "C" not null,
  removed_at timestamptz not null default now(),
  -- The user of the image. Citus runs the trigger where the image's row is, so the row that it writes needs the same user.
  -- 0: unknown.
  user_id integer not null default 0,
  primary key (user_id, uid)
);

-- Items with photos at addresses elsewhere, such as a marketplace's, which die with the listing. A job copies the photos and
-- then puts the addresses of the copies into the item. A trigger queues each item (functions/queue_image_copy.sql).
create table image_copy (
  user_id integer not null,
  item_uid text collate "C" not null,
  -- The item's images before, and the address that takes the place of each: null while it is not copied, the same where it
  -- cannot be.
  sources text[] not null default '{}',
  copies text[] not null default '{}',
  attempts smallint not null default 0,
  -- Null: nothing is left to do.
  due_at timestamptz default now(),
  -- Why photos are not copied.
  failure text,
  primary key (user_id, item_uid),
  foreign key (user_id, item_uid) references inventory_item (user_id, uid) on delete cascade,
  check (cardinality(sources) = cardinality(copies))
);
create index image_copy_due_idx on image_copy (user_id, due_at) where due_at is not null;

---------------------------------------------------------------- Imports

create table import_job (
  user_id integer not null references app_user,
  uid text collate "C" not null,
  seller_account_uid text not null,
  platform text not null,
  -- pull: read by our worker; extension: sent by the extension in batches.
  source text not null check (source in ('pull', 'extension')),
  status text not null default 'pending' check (status in ('pending', 'in_progress', 'completed', 'failed')),
  states text[] not null,
  -- False: the job stops after discovery until the seller starts it.
  auto_start boolean not null default true,
  -- Where discovery continues. Null before the first page.
  cursor text,
  discovery_done boolean not null default false,
  -- The total that the platform or the extension reported.
  expected_total integer,
  -- For the progress bar only. Written in the transaction of the items that they count.
  found_so_far integer not null default 0,
  decided_so_far integer not null default 0,
  -- Percent. Never decreases; 100 if and only if completed.
  progress real not null default 0,
  lease_epoch bigint not null default 0,
  lease_until timestamptz,
  -- Claims in a row that made no progress: something crashes the workers of this job.
  crashes integer not null default 0,
  -- Failures in a row that were answered by waiting: the platform is unavailable.
  failures integer not null default 0,
  -- Why the import waits, for the seller, and until when.
  wait_reason text,
  retry_at timestamptz,
  preview_requested integer not null default 0,
  preview_ready integer not null default 0,
  error_message text,
  -- The import failed because the platform requires a new connection. Once connected, another import replaces it.
  lost_connection boolean not null default false,
  -- Size of the stored listings. An account has a quota of it.
  found_bytes bigint not null default 0,
  -- Listings of other sellers on a shop's pages, which the extension left out.
  left_out integer not null default 0,
  created_at timestamptz not null default now(),
  started_at timestamptz,
  completed_at timestamptz,
  -- The last sign of life from the worker or the extension.
  touched_at timestamptz not null default now(),
  -- When older readings of the job's listings were removed.
  pruned_at timestamptz,
  -- When the extension began to read a shop. Its pages may wait for hours before they are sent; null where they did not.
  read_since timestamptz,
  primary key (user_id, uid),
  foreign key (user_id, seller_account_uid) references seller_account (user_id, uid),
  check ((status in ('completed', 'failed')) = (completed_at is not null)),
  check ((progress = 100) = (status = 'completed')),
  check ((error_message is not null) = (status = 'failed'))
);
-- A shop has at most one live job.
create unique index import_job_live_key on import_job (user_id, seller_account_uid)
  where status in ('pending', 'in_progress');
create index import_job_newest_idx on import_job (user_id, created_at desc, uid desc);
create index import_job_created_idx on import_job (user_id, created_at);
-- Abandoned jobs are found by this.
create index import_job_touched_idx on import_job (touched_at) where status in ('pending', 'in_progress');
create index import_job_unpruned_idx on import_job (completed_at) where completed_at is not null and pruned_at is null;

-- A listing that an import found.
create table import_item (
  user_id integer not null,
  job_uid text collate "C" not null,
  uid text collate "C" not null,
  external_listing_id text collate "C" not null,
  -- The listing as its adapter or the extension read it, or why it could not be read.
  found jsonb not null,
  observed_at timestamptz not null,
  external_sku text not null,
  listing_title text not null,
  listing_price text,
  status text not null default 'pending' check (status in ('pending', 'imported', 'failed', 'conflict', 'skipped')),
  conflict_type text,
  conflict_details text,
  -- The item that the listing conflicts with.
  conflict_item_uid text,
  error_code text,
  error_message text,
  resolution text check (
    resolution in (
      'pending', 'link_existing', 'create_new', 'overwrite', 'skip', 'skip_all', 'auto_skip', 'superseded'
    )
  ),
  -- The SKU that the seller gave a second item. Repeating the same resolution gives the same result, even if the seller has
  -- changed the item's SKU since.
  answered_sku text,
  -- The seller skipped this conflict in an earlier import. It stays skipped while listing and conflict are unchanged, and the
  -- seller may still resolve it otherwise.
  is_repeated_skip boolean not null default false,
  created_inventory_item_uid text,
  processed_at timestamptz,
  -- The action (start, retry) that is to decide the item again.
  action_uid text,
  -- How certain a conflicting listing is the item that it is compared with, and what agrees. Null for other conflicts.
  match_certainty text check (match_certainty in ('certain', 'likely', 'unsure')),
  match_reasons text[],
  -- Photos of a match that the import did not compare in time are compared afterwards, when each is due.
  match_photos text check (match_photos in ('comparing', 'unread')),
  photos_due_at timestamptz,
  photo_tries smallint not null default 0,
  primary key (user_id, job_uid, uid),
  constraint import_item_listing_key unique (user_id, job_uid, external_listing_id),
  foreign key (user_id, job_uid) references import_job (user_id, uid) on delete cascade,
  check ((status = 'conflict') = (resolution is not distinct from 'pending')),
  check ((status = 'failed') = (error_code is not null)),
  check (status <> 'conflict' or conflict_type is not null),
  check ((status = 'pending') = (processed_at is null))
) with (autovacuum_vacuum_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02);
create index import_item_status_idx on import_item (user_id, job_uid, status, uid);
create index import_item_action_idx on import_item (user_id, job_uid, action_uid, uid) where action_uid is not null;
-- One decision per listing: a later import supersedes what an earlier one still asks.
create index import_item_conflict_idx on import_item (user_id, external_listing_id) where status = 'conflict';
create index import_item_skip_idx on import_item (user_id, external_listing_id, uid)
  where resolution in ('skip', 'skip_all');
create index import_item_photos_idx on import_item (user_id, photos_due_at)
  where status = 'conflict' and match_photos = 'comparing';
-- A job has one user, as for channel_listing_shop.
create statistics import_item_job (dependencies) on user_id, job_uid from import_item;

-- The number of a job's items by status, kept by triggers on import_item in the transaction that writes the items. Counted
-- at every poll instead, a list of 50 jobs with 180,000 items takes 300 ms, not 15. Not in import_job, so that resolving a
-- conflict does not wait for the worker that holds the job.
create table import_count (
  user_id integer not null,
  job_uid text collate "C" not null,
  found integer not null default 0,
  imported integer not null default 0,
  skipped integer not null default 0,
  failed integer not null default 0,
  conflicted integer not null default 0,
  -- Items that are removed by now: decided ones leave after a time, and so do those that a later import replaced. The counts
  -- of a job include them.
  removed_skipped integer not null default 0,
  removed_failed integer not null default 0,
  removed_imported integer not null default 0,
  primary key (user_id, job_uid),
  foreign key (user_id, job_uid) references import_job (user_id, uid) on delete cascade
) with (fillfactor = 50);

-- The seller's requests to decide (start) or read (retry) a job's items again. They run one after the other.
create table import_action (
  user_id integer not null,
  job_uid text collate "C" not null,
  uid text collate "C" not null,
  kind text not null check (kind in ('start', 'retry')),
  status_filter text,
  item_limit integer,
  skip_conflicts boolean not null default false,
  -- waiting: its items are not marked yet; running: they are.
  state text not null default 'waiting' check (state in ('waiting', 'running', 'done')),
  created_at timestamptz not null default now(),
  primary key (user_id, job_uid, uid),
  foreign key (user_id, job_uid) references import_job (user_id, uid) on delete cascade
);
-- Asking for the same action again while it waits gives the same action.
create unique index import_action_waiting_key on import_action (
  user_id, job_uid, kind, coalesce(status_filter, ''), coalesce(item_limit, 0), skip_conflicts
) where state <> 'done';

-- A batch from the extension and its answer: the same batch gets the same answer.
create table import_batch (
  user_id integer not null,
  job_uid text collate "C" not null,
  batch_id text not null,
  answer jsonb not null,
  created_at timestamptz not null default now(),
  primary key (user_id, job_uid, batch_id),
  foreign key (user_id, job_uid) references import_job (user_id, uid) on delete cascade
);
create index import_batch_created_idx on import_batch (created_at);

-- The items as the newest requested preview would decide them.
create table import_preview (
  user_id integer not null,
  job_uid text collate "C" not null,
  generation integer not null,
  item_uid text collate "C" not null,
  status text not null,
  conflict_type text,
  conflict_details text,
  error_code text,
  error_message text,
  primary key (user_id, job_uid, generation, item_uid),
  foreign key (user_id, job_uid) references import_job (user_id, uid) on delete cascade
);

-- Items whose words are in match_word, to find items that may be the same as a listing on another platform. Filled when an
-- import from another platform needs it, so sellers on one platform never pay for it.
create table match_item (
  user_id integer not null,
  item_uid text collate "C" not null,
  -- The item's version when its words were stored.
  version integer not null,
  primary key (user_id, item_uid),
  foreign key (user_id, item_uid) references inventory_item (user_id, uid) on delete cascade
);

create table match_word (
  user_id integer not null,
  word text collate "C" not null,
  item_uid text collate "C" not null,
  primary key (user_id, word, item_uid),
  foreign key (user_id, item_uid) references match_item (user_id, item_uid) on delete cascade
);
create index match_word_item_idx on match_word (user_id, item_uid);

-- Perceptual hashes of pictures, computed once when a listing may be the same as an item from another platform.
create table photo_hash (
  user_id integer not null references app_user,
  -- SHA-256 of the picture's address.
  url_hash bytea not null,
  -- Null where the picture could not be read. It is tried again after a day.
  hash bytea,
  read_at timestamptz not null default now(),
  primary key (user_id, url_hash)
);
create index photo_hash_read_idx on photo_hash (read_at);

-- Fields whose values at an item and at its live listing are unlike, as they were last read on the platform. `same`: not a
-- difference, but the value to compare the next reading with.
create table listing_difference (
  user_id integer not null,
  uid text collate "C" not null,
  seller_account_uid text not null,
  listing_id text collate "C" not null,
  field text not null check (
    field in ('title', 'description', 'price', 'photos', 'quantity', 'condition', 'category', 'sku', 'details')
  ),
  -- A text, {"price_minor", "currency"}, or a list of addresses, as an item would take it.
  theirs jsonb not null,
  -- Of the normalized value: another one asks again about what was ignored.
  theirs_hash text not null,
  state text not null default 'open' check (state in ('open', 'ignored', 'same')),
  noticed_at timestamptz not null,
  -- The value that was sent, in words, where the difference shows as soon as the listing is read back.
  sent text,
  primary key (user_id, seller_account_uid, listing_id, field),
  foreign key (user_id, seller_account_uid, listing_id)
    references channel_listing (user_id, seller_account_uid, listing_id) on update cascade on delete cascade
);
create unique index listing_difference_uid_key on listing_difference (user_id, uid);
create index listing_difference_state_idx on listing_difference (user_id, state, noticed_at desc, uid desc);

---------------------------------------------------------------- Orders and sales

-- An order. No data about buyers is stored.
create table marketplace_order (
  user_id integer not null references app_user,
  uid text collate "C" not null,
  -- A platform's slug, or `outside` for a sale in person.
  platform text not null,
  seller_account_uid text,
  external_order_id text collate "C" not null,
  -- platform: from an API; scraped: a listing that the extension saw as sold; outside: reported by the seller.
  source text not null check (source in ('platform', 'scraped', 'outside')),
  status text not null check (status in ('pending', 'paid', 'cancelled')),
  ordered_at timestamptz not null,
  -- The platform's time of the last change.
  modified_at timestamptz not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (user_id, uid),
  constraint marketplace_order_external_key unique (user_id, platform, external_order_id),
  check ((platform = 'outside') = (source = 'outside'))
);
create index marketplace_order_newest_idx on marketplace_order (user_id, ordered_at desc, uid desc);

create table order_line (
  user_id integer not null,
  order_uid text collate "C" not null,
  external_line_id text collate "C" not null,
  listing_id text collate "C" not null,
  sku text,
  quantity integer not null check (quantity > 0),
  -- The price of one unit.
  price_minor bigint not null check (price_minor >= 0),
  currency text not null,
  item_uid text collate "C",
  matched_by text check (matched_by in ('listing', 'sku', 'title', 'seller')),
  status text not null check (status in ('pending', 'paid', 'cancelled')),
  -- held: reserved, not paid; sold: has the item; oversell: another line has the item; unmatched: no item of ours.
  state text not null check (state in ('held', 'sold', 'oversell', 'cancelled', 'unmatched')),
  modified_at timestamptz not null,
  recorded_at timestamptz not null default clock_timestamp(),
  -- When to check that the listing ended: it may have offered more than one.
  check_listing_at timestamptz,
  primary key (user_id, order_uid, external_line_id),
  foreign key (user_id, order_uid) references marketplace_order (user_id, uid) on delete cascade,
  check (state not in ('held', 'sold', 'oversell') or item_uid is not null),
  check ((item_uid is null) = (matched_by is null)),
  check ((status = 'cancelled') = (state = 'cancelled'))
);
-- At most one line has an item.
create unique index order_line_holder_key on order_line (user_id, item_uid) where state in ('held', 'sold');
create index order_line_item_idx on order_line (user_id, item_uid) where item_uid is not null;
create index order_line_check_idx on order_line (check_listing_at) where check_listing_at is not null;
create index order_line_recorded_idx on order_line (recorded_at);
-- Lines without an item are matched again while they are new, and once an hour afterwards (`findMatchable`).
create index order_line_unmatched_idx on order_line (recorded_at) where state = 'unmatched';
create index order_line_unmatched_turn_idx on order_line (extract(minute from recorded_at at time zone 'utc'))
  where state = 'unmatched';
-- The lines that need the seller are a small part of all lines.
create index order_line_needs_seller_idx on order_line (user_id, state, order_uid) where state in ('unmatched', 'oversell');

-- A paid line that has its item. A sale ends when its order is cancelled, and is never deleted.
create table sale (
  user_id integer not null,
  id bigint generated always as identity,
  item_uid text collate "C" not null,
  order_uid text collate "C" not null,
  external_line_id text collate "C" not null,
  platform text not null,
  -- As precise as the page cursor that names it.
  sold_at timestamptz(3) not null default now(),
  cancelled boolean not null default false,
  cancelled_at timestamptz,
  -- Costs of the sale, as far as the seller entered them. Null: not entered; the fee is then estimated.
  fee_minor bigint check (fee_minor >= 0),
  shipping_minor bigint check (shipping_minor >= 0),
  cost_minor bigint check (cost_minor >= 0),
  -- When the sale was considered for pushing.
  pushed_at timestamptz,
  primary key (user_id, id),
  -- A sale seen on a listing's page moves to its order once that is read: the line gets the order's ids.
  foreign key (user_id, order_uid, external_line_id) references order_line (user_id, order_uid, external_line_id)
    on update cascade,
  check (cancelled = (cancelled_at is not null))
);
-- The promise that Hapax exists for: an item is sold once.
create unique index sale_live_key on sale (user_id, item_uid) where not cancelled;
create index sale_newest_idx on sale (user_id, sold_at desc, id desc) where not cancelled;
create index sale_line_idx on sale (user_id, order_uid, external_line_id);
create index sale_unpushed_idx on sale (id) where pushed_at is null;

-- How each order leaves the house. An order without a row is one of which nobody knows whether it was sent.
create table shipment (
  user_id integer not null,
  order_uid text collate "C" not null,
  -- queued: the seller has shipped, and the marketplace is being told.
  state text not null check (state in ('to_ship', 'queued', 'shipped')),
  -- As precise as the page cursor that names it.
  ship_by timestamptz(3),
  -- Removed when the order is shipped.
  buyer_note text,
  carrier text,
  tracking_number text,
  shipped_at timestamptz(3),
  shipped_by text check (shipped_by in ('seller', 'marketplace')),
  -- Telling the marketplace begins after this.
  send_after timestamptz,
  -- When a request was sent that may have arrived, when the marketplace accepted it, when reading back confirmed it.
  sent_at timestamptz,
  accepted_at timestamptz,
  confirmed_at timestamptz,
  failures integer not null default 0,
  error_code text,
  error_message text,
  lease_epoch integer not null default 0,
  lease_until timestamptz,
  primary key (user_id, order_uid),
  foreign key (user_id, order_uid) references marketplace_order (user_id, uid) on delete cascade,
  check ((state = 'to_ship') = (shipped_at is null) and (shipped_at is null) = (shipped_by is null)),
  check ((carrier is null) or tracking_number is not null),
  check (state <> 'shipped' or buyer_note is null)
);
create index shipment_open_idx on shipment (user_id, order_uid) where state = 'to_ship';
create index shipment_sent_idx on shipment (user_id, shipped_at desc, order_uid desc) where state <> 'to_ship';
create index shipment_noted_idx on shipment (order_uid) where buyer_note is not null;

-- Listings of scraped platforms that were reported as sold while no item had them. Linking one to an item later sells it.
create table sold_report (
  user_id integer not null references app_user (id),
  platform text not null,
  listing_id text collate "C" not null,
  seen_at timestamptz not null default now(),
  primary key (user_id, platform, listing_id)
);
create index sold_report_seen_idx on sold_report (seen_at);

-- Something that the seller should look at. Open until it resolves by itself or the seller dismisses it.
create table alert (
  user_id integer not null references app_user,
  uid text collate "C" not null,
  -- oversell, excess_quantity, sold_while_withdrawn, relist_offer, orders_unread, connection_lost, ...
  kind text not null,
  item_uid text collate "C",
  platform text,
  -- The other subject: an order's line, a shop.
  reference text not null default '',
  message text not null,
  data jsonb not null default '{}',
  state text not null default 'open' check (state in ('open', 'resolved', 'dismissed')),
  -- As precise as the page cursor that names it.
  created_at timestamptz(3) not null default now(),
  finished_at timestamptz,
  -- A mail was sent, or the seller wants none.
  notified_at timestamptz,
  -- An alert that may end by itself is mailed and pushed later than it is shown.
  notify_at timestamptz not null default now(),
  -- The order of the seller's list, the highest first: what the seller can act on comes before orders that cannot be read.
  -- A sale that nobody can place comes right after one that happened twice, because its item is on offer elsewhere. A listing
  -- that may replace one of several items comes next.
  urgency smallint not null generated always as (
    case kind
      when 'connection_lost' then 70
      when 'oversell' then 50
      when 'excess_quantity' then 50
      when 'sale_unclear' then 45
      when 'relist_unclear' then 42
      when 'delist_overdue' then 40
      when 'orders_unread' then 35
      when 'sold_while_withdrawn' then 30
      when 'relist_offer' then 25
      else 20
    end
  ) stored,
  primary key (user_id, uid),
  check ((state = 'open') = (finished_at is null))
);
-- The same problem is reported once.
create unique index alert_open_key on alert (user_id, kind, coalesce(item_uid, ''), reference) where state = 'open';
-- Alerts of one urgency are listed oldest first.
create index alert_urgent_idx on alert (user_id, state, urgency desc, created_at, uid);
create index alert_unnotified_idx on alert (notify_at) where state = 'open' and notified_at is null;
create index alert_finished_idx on alert (finished_at) where finished_at is not null;

-- An order to fetch because a push notification named it. Handled once the order was fetched.
create table order_fetch_request (
  user_id integer not null,
  platform text not null,
  external_order_id text collate "C" not null,
  -- Empty where the platform names no line.
  external_line_id text collate "C" not null,
  seller_account_uid text not null,
  times integer not null default 1,
  received_at timestamptz not null default now(),
  handled_at timestamptz,
  -- The platform knows no such order of this shop.
  unknown boolean not null default false,
  attempts integer not null default 0,
  next_attempt_at timestamptz not null default now(),
  traceparent text,
  primary key (user_id, platform, external_order_id, external_line_id, seller_account_uid),
  foreign key (user_id, seller_account_uid) references seller_account (user_id, uid)
);
create index order_fetch_request_due_idx on order_fetch_request (next_attempt_at) where handled_at is null;
create index order_fetch_request_handled_idx on order_fetch_request (handled_at) where handled_at is not null;

-- Ids of acknowledged push notifications, so that a repeated one has no effect. Kept for 30 days.
create table push_receipt (
  platform text not null,
  message_id text collate "C" not null,
  -- order, account_deletion, or a topic that we ignore.
  topic text not null,
  received_at timestamptz not null default now(),
  -- For an erasure: the subject's id as SHA-256, and the number of erased rows. Kept for good.
  subject_hash bytea,
  erased jsonb,
  primary key (platform, message_id)
);
create index push_receipt_received_idx on push_receipt (received_at) where subject_hash is null;

-- The keys that eBay signs push notifications with. They rarely change, and a server that starts during a flood of made-up
-- key ids must know the real ones already.
create table ebay_push_key (
  kid text primary key,
  public_key text not null,
  digest text not null check (digest in ('sha1', 'sha256')),
  checked_at timestamptz not null default now()
);

-- The state of reading a shop's orders.
create table order_sync (
  user_id integer not null,
  seller_account_uid text not null,
  platform text not null,
  -- Orders that changed before this time, by the platform's clock, were read.
  read_until timestamptz,
  -- When a reading last covered the whole overlap.
  overlap_read_at timestamptz,
  next_read_at timestamptz not null default now(),
  interval_seconds integer not null default 60,
  lease_until timestamptz,
  lease_epoch integer not null default 0,
  last_success_at timestamptz,
  failures integer not null default 0,
  error_message text,
  last_order_at timestamptz,
  last_push_at timestamptz,
  -- When a reading last found an order that a push notification should have named.
  last_missed_push_at timestamptz,
  created_at timestamptz not null default now(),
  -- When to read orders again whose changes the platform does not report, where their next page begins, and when a reading
  -- last covered all of them.
  read_again_at timestamptz not null default now(),
  read_again_cursor text,
  all_read_again_at timestamptz not null default now(),
  primary key (user_id, seller_account_uid),
  foreign key (user_id, seller_account_uid) references seller_account (user_id, uid)
);
create index order_sync_due_idx on order_sync (next_read_at);
create index order_sync_platform_idx on order_sync (platform);

-- Calls that reading orders may spend ahead of its plan, one row per platform for all shops and workers.
create table order_budget (
  platform text primary key,
  calls double precision not null,
  largest double precision not null,
  per_second double precision not null,
  updated_at timestamptz not null default now()
);

---------------------------------------------------------------- Sale mail

-- The address of a seller to which marketplaces' mails are forwarded. Its secret part is stored encrypted, to be shown
-- again, and as a hash, to find the seller.
create table sale_mail_address (
  user_id integer primary key references app_user,
  address_hash bytea not null unique,
  encrypted_address bytea not null,
  created_at timestamptz not null default now(),
  -- When the first mail arrived.
  used_at timestamptz
);

-- An address that a seller's marketplaces write to, beside the address of the account. It counts once its seller has
-- opened a link that was sent there.
create table sale_mail_recipient (
  user_id integer not null references app_user,
  -- In lower case.
  email text not null,
  token_hash bytea,
  expires_at timestamptz,
  verified_at timestamptz,
  created_at timestamptz not null default now(),
  primary key (user_id, email)
);
-- One account at a time proves an address.
create unique index sale_mail_recipient_proof_key on sale_mail_recipient (email) where verified_at is not null;

-- A mailbox that is read by IMAP.
create table sale_mailbox (
  user_id integer primary key references app_user,
  host text not null,
  port integer not null check (port between 1 and 65535),
  tls text not null check (tls in ('implicit', 'starttls', 'none')),
  username text not null,
  encrypted_password bytea not null,
  folder text not null,
  state text not null default 'connecting' check (state in ('connecting', 'waiting', 'failed')),
  last_error text,
  checked_at timestamptz,
  -- The place in the folder: mails above this UID are new, while the folder's UIDVALIDITY is this one.
  uid_validity text,
  last_uid bigint,
  -- Failed connections in a row.
  failures integer not null default 0,
  next_try_at timestamptz not null default now(),
  lease_epoch integer not null default 0,
  lease_until timestamptz,
  created_at timestamptz not null default now()
);
create index sale_mailbox_due_idx on sale_mailbox (next_try_at);

-- A mail that came in, and what it did. Bundles have a further row for each item that nobody could name.
create table sale_mail (
  user_id integer not null references app_user,
  uid text collate "C" not null,
  via text not null check (via in ('smtp', 'imap')),
  -- The whole mail, for seven days; only its beginning if it was too large to be read.
  encrypted_mail bytea,
  -- Bytes that arrived.
  size integer not null,
  received_at timestamptz(3) not null default now(),
  -- When its sender wrote it, as signed; otherwise its arrival.
  sent_at timestamptz,
  -- Null until the mail is decided, which waits for name servers.
  outcome text check (outcome in ('held', 'fetched', 'freed', 'ambiguous', 'unmatched', 'ignored', 'refused')),
  reason text check (
    reason in (
      'signature', 'sender', 'form', 'recipient', 'forwarded', 'replayed', 'too_old', 'malformed', 'not_connected'
    )
  ),
  kind text not null default 'other' check (kind in ('sale', 'cancellation', 'other')),
  marketplace text,
  title text,
  price_minor bigint,
  currency text,
  order_id text,
  -- The listing that the mail names.
  listing_id text collate "C",
  -- Items that it holds or frees; candidates while it is ambiguous.
  item_uids text[] not null default '{}',
  -- Listings that it holds, by their ids on the marketplace, so that a cancellation finds them.
  listing_ids text[] not null default '{}',
  -- The code and link with which Gmail confirms a forwarding.
  confirmation jsonb,
  resolved_at timestamptz,
  -- Hash of the things that a bundle's mail names. The same bundle with another thing in it is no copy of the first mail.
  lines_hash text,
  primary key (user_id, uid),
  check ((outcome = 'refused') = (reason is not null))
);
create index sale_mail_newest_idx on sale_mail (user_id, received_at desc, uid desc);
create index sale_mail_received_idx on sale_mail (received_at);
create index sale_mail_kept_idx on sale_mail (received_at) where encrypted_mail is not null;

---------------------------------------------------------------- Listing operations

-- Something to do on a platform, written before the platform is called and in the transaction of its cause. A row survives
-- its worker. It stays open until reading the platform back shows that it is done.
create table listing_operation (
  user_id integer not null references app_user,
  id uuid not null default gen_random_uuid(),
  -- An update changes a live listing.
  kind text not null check (kind in ('list', 'delist', 'update')),
  item_uid text collate "C" not null,
  platform text not null,
  seller_account_uid text not null,
  -- The platform's id of the listing. A list operation learns it on the way.
  listing_id text collate "C",
  listing_url text,
  -- Our key, known to the platform before the listing exists. A lost attempt's listing is found by it.
  external_key text,
  price_minor bigint check (price_minor > 0),
  currency text check (currency ~ '^[A-Z]{3}$'),
  -- The platform's options as requested.
  options jsonb not null default '{}',
  -- The options to store as the shop's defaults once the listing is live.
  options_to_remember jsonb,
  state text not null default 'open' check (state in ('open', 'done', 'failed', 'cancelled')),
  -- user, bulk, sale, mark_sold, compensation or reconcile; and which of that kind (an order, a bulk job).
  cause text not null,
  cause_ref text,
  -- The highest goes first.
  priority smallint not null default 0,
  attempts integer not null default 0,
  -- Attempts in a row that the platform failed.
  failures integer not null default 0,
  next_attempt_at timestamptz not null default now(),
  lease_epoch integer not null default 0,
  lease_until timestamptz,
  -- The seller or a sale no longer wants the listing. A published listing is ended again.
  cancel_requested_at timestamptz,
  error_code text,
  error_message text,
  created_at timestamptz not null default now(),
  -- When we saw the cause, when the platform accepted the operation, when reading back confirmed it (GET /status).
  seen_at timestamptz not null default now(),
  accepted_at timestamptz,
  confirmed_at timestamptz,
  -- When the options were completed by the seller's defaults and the platform's suggestions.
  options_chosen_at timestamptz,
  -- When something was last sent that may still arrive.
  sent_at timestamptz,
  -- Not confirmed within five minutes: the seller was alerted.
  alerted_at timestamptz,
  finished_at timestamptz,
  -- The content that an update sends. A price is sent if `price_minor` is given.
  fields text[] check (fields <@ array['title', 'description', 'images']),
  -- The values that are sent in place of the item's, by field. Undoing an overwritten listing sends what was there.
  content jsonb,
  traceparent text,
  -- Warnings of the platform about the operation that it carried out, as sentences. Null: none.
  warnings text[],
  primary key (user_id, id),
  -- A list operation gets its listing's id later, and an update may be requested meanwhile.
  check (kind <> 'delist' or listing_id is not null),
  check (kind <> 'list' or external_key is not null),
  check ((state = 'open') = (finished_at is null))
) with (autovacuum_vacuum_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02);
-- An item is published once at a time on a platform, and a listing is ended once.
create unique index listing_operation_list_key on listing_operation (user_id, item_uid, platform)
  where kind = 'list' and state = 'open';
create unique index listing_operation_delist_key on listing_operation (user_id, seller_account_uid, listing_id)
  where kind = 'delist' and state = 'open';
create index listing_operation_item_idx on listing_operation (user_id, item_uid, created_at desc);
-- Due operations of one queue (`claimOperations`).
create index listing_operation_due_idx on listing_operation (
  (case when kind = 'delist' or cancel_requested_at is not null then 'down' else platform end), priority desc, next_attempt_at
) where state = 'open';
-- Our own listings by key and by id. Right behind the user, since the planner misjudges an index by user and shop.
create index listing_operation_key_idx on listing_operation (user_id, external_key) where kind = 'list';
create index listing_operation_listing_idx on listing_operation (user_id, listing_id) where kind = 'list';
-- The figures of GET /status cover recent days, and most of this table is never purged.
create index listing_operation_confirmed_idx on listing_operation (confirmed_at) where kind = 'delist' and confirmed_at is not null;
create index listing_operation_sale_delist_idx on listing_operation (created_at)
  where kind = 'delist' and cause in ('sale', 'mark_sold');
-- Finished work is removed after a time (operations/cleanup). The index finds it without reading what stays: operations and
-- tasks that listed an item, which say which listing is its own.
create index listing_operation_finished_idx on listing_operation (finished_at)
  where kind <> 'list' and finished_at is not null;

-- A step that only the seller can do, on a platform's own page with the extension's help.
create table extension_task (
  user_id integer not null references app_user,
  uid text collate "C" not null,
  kind text not null check (kind in ('list', 'delist', 'cancel_order')),
  status text not null default 'open' check (status in ('open', 'completed', 'dismissed')),
  platform text not null,
  item_uid text collate "C" not null,
  seller_account_uid text,
  reason text not null,
  url text not null,
  -- The listing to end or the order to cancel; for a completed list task the new listing.
  listing_id text collate "C",
  price_minor bigint check (price_minor > 0),
  currency text check (currency ~ '^[A-Z]{3}$'),
  cause text not null,
  cause_ref text,
  created_at timestamptz not null default now(),
  finished_at timestamptz,
  -- The seller's report. The same report twice gets the same answer.
  report jsonb,
  -- The one attempt of the extension to end a listing by itself: its id, when it began and ended, what it pressed and saw.
  attempt jsonb,
  primary key (user_id, uid),
  check ((status = 'open') = (finished_at is null))
);
-- The same step is asked for once.
create unique index extension_task_list_key on extension_task (user_id, item_uid, platform)
  where kind = 'list' and status = 'open';
create unique index extension_task_once_key on extension_task (user_id, platform, kind, listing_id)
  where kind <> 'list' and status = 'open';
create index extension_task_status_idx on extension_task (user_id, status, uid);
create index extension_task_listing_idx on extension_task (user_id, listing_id) where listing_id is not null;
create index extension_task_attempt_idx on extension_task (user_id, uid) where attempt is not null;
create index extension_task_sale_delist_idx on extension_task (created_at)
  where kind = 'delist' and cause in ('sale', 'mark_sold');
create index extension_task_finished_idx on extension_task (finished_at)
  where finished_at is not null and not (kind = 'list' and status = 'completed');

-- The options that a seller last chose on a platform.
create table listing_defaults (
  user_id integer not null references app_user,
  platform text not null,
  options jsonb not null,
  updated_at timestamptz not null default now(),
  primary key (user_id, platform)
);

---------------------------------------------------------------- Bulk jobs

-- Listing or ending many items. Counters are counted from the rows of bulk_item.
create table bulk_job (
  user_id integer not null references app_user,
  uid text collate "C" not null,
  action text not null check (action in ('list', 'delist', 'price', 'edit')),
  status text not null default 'pending' check (status in ('pending', 'in_progress', 'completed', 'cancelled')),
  -- Decimal text, in each item's own currency. Null: each item's own price.
  price text,
  -- The shop to list in, where several of a platform are connected.
  seller_account_uid text,
  created_at timestamptz not null default now(),
  completed_at timestamptz,
  -- How a job of the action `price` changes prices. Its rows of bulk_item name no platform.
  price_change jsonb,
  traceparent text,
  -- How a job of the action `edit` changes items. Its rows of bulk_item name no platform.
  item_edit jsonb,
  primary key (user_id, uid),
  check ((status in ('completed', 'cancelled')) = (completed_at is not null))
);
create index bulk_job_open_idx on bulk_job (created_at) where status in ('pending', 'in_progress');
create index bulk_job_completed_idx on bulk_job (completed_at) where completed_at is not null;

create table bulk_item (
  user_id integer not null,
  job_uid text collate "C" not null,
  -- In the order of the request.
  position integer not null,
  -- As requested: it may name no item.
  item_uid text collate "C" not null,
  platform text not null,
  status text not null default 'pending' check (status in ('pending', 'succeeded', 'failed', 'manual', 'cancelled')),
  -- The operation that does it, once begun.
  operation_id uuid,
  listing_id text collate "C",
  listing_url text,
  error_code text,
  error_message text,
  -- When the marketplace was read back.
  verified_at timestamptz,
  -- Options of the platform that the request gave for this item, as `list/` takes them.
  options jsonb,
  -- When the seller asked again for a listing that waited for an answer, or gave it up.
  settled_at timestamptz,
  primary key (user_id, job_uid, position),
  foreign key (user_id, job_uid) references bulk_job (user_id, uid) on delete cascade
);
create index bulk_item_operation_idx on bulk_item (user_id, operation_id) where operation_id is not null and status = 'pending';
create index bulk_item_status_idx on bulk_item (user_id, job_uid, status, position);
-- Finds the first open row of a job, however many rows it has.
create index bulk_item_open_idx on bulk_item (user_id, job_uid, position) where status = 'pending';
-- Bulk jobs may have a number of open operations on each platform: both sides are counted by platform.
create index bulk_item_unbegun_idx on bulk_item (user_id, job_uid, platform, position) where status = 'pending' and operation_id is null;
create index bulk_item_begun_platform_idx on bulk_item (user_id, job_uid, platform) where status = 'pending' and operation_id is not null;
-- Listings that wait for an answer of the seller.
create index bulk_item_unanswered_idx on bulk_item (user_id, platform, item_uid)
  where error_code in ('choice_required', 'seller_account_required') and settled_at is null;

---------------------------------------------------------------- Changes that can be undone

-- Acts that a seller can undo, one row per thing that an act changed. Rows of one act share `change_uid`. Kept for 30 days.
create table undo_step (
  user_id integer not null references app_user (id),
  change_uid text collate "C" not null,
  -- The import item that was decided, the item that was sold, or the import job.
  subject_uid text collate "C" not null,
  kind text not null check (
    kind in (
      'link', 'overwrite', 'create', 'skip', 'mark_sold', 'import_job', 'change_price', 'adopt', 'overwrite_listing',
      'ignore_difference', 'take_down', 'take_back_hold', 'edit_items', 'withdraw'
    )
  ),
  item_uid text collate "C",
  job_uid text collate "C",
  seller_account_uid text,
  platform text,
  title text not null default '',
  -- The changed values, as they were and as they became. Undoing compares `after` with what is there by then.
  before jsonb not null default '{}',
  after jsonb not null default '{}',
  at timestamptz not null default now(),
  undone_at timestamptz,
  primary key (user_id, change_uid, subject_uid)
);
create index undo_step_at_idx on undo_step (at);
create index undo_step_subject_idx on undo_step (user_id, subject_uid);

---------------------------------------------------------------- Events and webhooks

-- The number of a user's newest event. Its row lock makes numbers follow commits: a reader of number n has missed no event
-- below n.
create table event_counter (
  user_id integer not null references app_user,
  last_seq bigint not null default 0,
  primary key (user_id)
);

-- One log of events per user, read by the stream and sent to webhook endpoints. Written in the transaction of the cause.
create table event (
  user_id integer not null references app_user,
  seq bigint not null,
  uid text collate "C" not null,
  type text not null,
  -- Events of one item reach an endpoint in their order.
  item_uid text collate "C",
  data jsonb not null,
  created_at timestamptz not null default now(),
  traceparent text,
  primary key (user_id, seq),
  constraint event_uid_key unique (user_id, uid)
) with (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.02);
create index event_created_idx on event (created_at);

create table webhook_endpoint (
  user_id integer not null references app_user,
  uid text collate "C" not null,
  url text not null,
  description text not null default '',
  -- Null: all.
  event_types text[],
  encrypted_secret bytea not null,
  enabled boolean not null default true,
  -- Why we disabled it.
  disabled_reason text,
  -- Recent failures decide how many deliveries the endpoint may hold up, and how long nothing is sent to it.
  failing_since timestamptz,
  failures integer not null default 0,
  last_delivered_at timestamptz,
  paused_until timestamptz,
  created_at timestamptz not null default now(),
  -- The secret before the last rotation signs deliveries, too, until `previous_secret_until`.
  encrypted_previous_secret bytea,
  previous_secret_until timestamptz,
  primary key (user_id, uid)
);

-- Deliveries outlive their endpoint, so that deleting an endpoint stays quick. They are purged by age.
create table webhook_delivery (
  user_id integer not null,
  endpoint_uid text collate "C" not null,
  -- In the order of writing. A replay is a new delivery of an old event.
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
  foreign key (user_id, event_seq) references event (user_id, seq) on delete cascade,
  check ((state = 'pending') = (finished_at is null))
) with (autovacuum_vacuum_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02);
create index webhook_delivery_event_idx on webhook_delivery (user_id, event_seq);
create index webhook_delivery_item_idx on webhook_delivery (user_id, endpoint_uid, item_uid, id) where state = 'pending';
-- Deliveries are claimed endpoint by endpoint, so the backlog of one costs the others nothing. Not in the order of the
-- primary key, which would also go through delivered rows.
create index webhook_delivery_queue_idx on webhook_delivery (endpoint_uid, user_id, next_attempt_at, id)
  where state = 'pending';
create index webhook_delivery_leased_idx on webhook_delivery (lease_until)
  where state = 'pending' and lease_until is not null;
create index webhook_delivery_failed_idx on webhook_delivery (user_id, endpoint_uid, id) where state = 'failed';
create index webhook_delivery_not_delivered_idx on webhook_delivery (state) where state <> 'delivered';

---------------------------------------------------------------- Marketplace call quotas

-- The calls that a platform allows one application, shared by all processes (functions/take_platform_calls.sql). Nothing
-- here belongs to a user. Every call changes these rows: a low fillfactor keeps the changes on their page.
create table platform_quota (
  platform text not null,
  app text not null,
  -- Limits that the platform reported. They override the documented ones.
  reported_per_second integer,
  reported_per_day integer,
  -- A token bucket and the time of its level.
  level double precision not null default 'Infinity',
  level_at timestamptz not null default now(),
  -- The platform refused a call and is not called until then.
  blocked_until timestamptz not null default '-infinity',
  -- Refusals in a row.
  refusals integer not null default 0,
  refused_at timestamptz not null default '-infinity',
  -- The platform counts each shop's token by itself: its answers reported far fewer calls than all shops made.
  by_shop boolean not null default false,
  primary key (platform, app)
) with (fillfactor = 20);

-- The same for one shop: the platform's id of it, or a token's hash. Forgotten after a day without calls.
create table platform_quota_shop (
  platform text not null,
  app text not null,
  shop text not null,
  level double precision not null default 'Infinity',
  level_at timestamptz not null default now(),
  blocked_until timestamptz not null default '-infinity',
  -- Fair share: when the shop's next bulk call is due, and when it last asked for one.
  next_at timestamptz not null default '-infinity',
  asked_at timestamptz not null default now(),
  primary key (platform, app, shop)
) with (fillfactor = 50);
create index platform_quota_shop_asked_idx on platform_quota_shop (platform, app, asked_at);

-- Calls by quarters of an hour, of the application as a whole (shop '') and of each shop, and by kind of work, because each
-- kind keeps back a part of a platform's day.
create table platform_quota_slot (
  platform text not null,
  app text not null,
  shop text not null,
  slot timestamptz not null,
  used integer not null,
  -- Empty for calls that the platform reported.
  priority text not null default '',
  primary key (platform, app, shop, slot, priority)
) with (fillfactor = 50);
