-- What is to be done on a platform, and why: written before the platform is called, in the transaction of its cause
-- (spec 4.15; faults I3, F02). A row is an order that survives its worker; it is open until it is proven done.

create table listing_intent (
  user_id integer not null references app_user,
  id uuid not null default gen_random_uuid(),
  kind text not null check (kind in ('list', 'delist', 'reprice')),
  item_uid text not null,
  platform text not null,
  seller_account_uid text not null,
  -- The platform's id of the listing: known from the start for delist and reprice, learned on the way for list.
  listing_id text,
  listing_url text,
  -- Ours, known to the platform before the listing exists: how a lost attempt's listing is found again (faults F19).
  external_key text,
  price_minor bigint check (price_minor > 0),
  currency text check (currency ~ '^[A-Z]{3}$'),
  -- The platform's own choices as they were asked for.
  options jsonb not null default '{}',
  state text not null default 'open' check (state in ('open', 'done', 'failed', 'cancelled')),
  -- Why: user, bulk, sale, mark_sold, compensation, reconcile; and what of that kind (an order, a bulk job).
  cause text not null,
  cause_ref text,
  -- Of several, delists go first.
  priority smallint not null default 0,
  -- The external effect that was begun last; what an attempt has to reckon with.
  step text,
  attempts integer not null default 0,
  next_attempt_at timestamptz not null default now(),
  -- Whoever holds the lease works on it; the epoch only grows, and every write names it (faults I8).
  lease_epoch integer not null default 0,
  lease_until timestamptz,
  -- The seller, or a sale, no longer wants the listing: what was put up is taken down again.
  cancel_requested_at timestamptz,
  error_code text,
  error_message text,
  created_at timestamptz not null default now(),
  -- When the cause was seen by us, when the platform took the order, when reading it back proved it (GET /status).
  seen_at timestamptz not null default now(),
  accepted_at timestamptz,
  confirmed_at timestamptz,
  -- Still not proven five minutes after it was asked for: a person should look.
  alarm_at timestamptz,
  finished_at timestamptz,
  primary key (user_id, id),
  check (kind = 'list' or listing_id is not null),
  check (kind <> 'list' or external_key is not null),
  check ((state = 'open') = (finished_at is null))
);

-- One listing of an item on a platform is put up at a time, and one listing is taken down once.
create unique index listing_intent_list_key on listing_intent (user_id, item_uid, platform)
  where kind = 'list' and state = 'open';
create unique index listing_intent_delist_key on listing_intent (user_id, seller_account_uid, listing_id)
  where kind = 'delist' and state = 'open';
create index listing_intent_due_idx on listing_intent (priority desc, next_attempt_at) where state = 'open';
create index listing_intent_item_idx on listing_intent (user_id, item_uid, created_at desc);
-- What GET /status measures.
create index listing_intent_confirmed_idx on listing_intent (confirmed_at) where kind = 'delist' and confirmed_at is not null;

-- What only the seller can do, in a platform's own page with the extension's help (decisions 8).
create table extension_task (
  user_id integer not null references app_user,
  uid text not null,
  kind text not null check (kind in ('list', 'delist', 'cancel_order')),
  status text not null default 'open' check (status in ('open', 'completed', 'dismissed')),
  platform text not null,
  item_uid text not null,
  seller_account_uid text,
  reason text not null,
  url text not null,
  -- The listing to take down, or the order to cancel; for a completed list task the listing that was made.
  listing_id text,
  price_minor bigint check (price_minor > 0),
  currency text check (currency ~ '^[A-Z]{3}$'),
  cause text not null,
  cause_ref text,
  created_at timestamptz not null default now(),
  finished_at timestamptz,
  -- What the seller reported, so that the same report twice is the same answer.
  report jsonb,
  primary key (user_id, uid),
  check ((status = 'open') = (finished_at is null))
);

-- The same thing is asked for once.
create unique index extension_task_list_key on extension_task (user_id, item_uid, platform)
  where kind = 'list' and status = 'open';
create unique index extension_task_once_key on extension_task (user_id, platform, kind, listing_id)
  where kind <> 'list' and status = 'open';
create index extension_task_newest_idx on extension_task (user_id, created_at desc, uid);
