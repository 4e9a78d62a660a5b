-- Who may list: the primary address, and what makes a subscription (decisions 8). The trial is counted from app_user.

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

-- Given by the operator's command.
create table subscription_grant (
  user_id integer not null references app_user,
  ends_at timestamptz not null,
  granted_at timestamptz not null default now(),
  primary key (user_id)
);

-- Whose Stripe customer it is. Stripe tells of customers and of subscriptions in any order, so that each is kept as it
-- comes and they meet when they are read.
create table stripe_customer (
  user_id integer not null references app_user,
  customer_id text not null,
  primary key (user_id, customer_id),
  constraint stripe_customer_key unique (customer_id)
);

-- Subscriptions as Stripe told of them last; they belong to Stripe's customers, not to users.
create table stripe_subscription (
  customer_id text not null,
  subscription_id text not null,
  status text not null,
  ends_at timestamptz not null,
  -- When Stripe made the event that this stands on: an older one changes nothing.
  told_at timestamptz not null,
  primary key (customer_id, subscription_id)
);

-- The seller's remembered choices on a platform.
create table listing_defaults (
  user_id integer not null references app_user,
  platform text not null,
  options jsonb not null,
  updated_at timestamptz not null default now(),
  primary key (user_id, platform)
);

-- Listing and taking down in bulk (spec 4.15): every result is a row, and the counters are counted from the rows.
create table bulk_job (
  user_id integer not null references app_user,
  uid text collate "C" not null,
  action text not null check (action in ('list', 'delist')),
  status text not null default 'pending' check (status in ('pending', 'in_progress', 'completed', 'cancelled')),
  -- Decimal text, in each item's own currency; null: each item's own price.
  price text,
  created_at timestamptz not null default now(),
  completed_at timestamptz,
  primary key (user_id, uid),
  check ((status in ('completed', 'cancelled')) = (completed_at is not null))
);
create index bulk_job_open_idx on bulk_job (created_at) where status in ('pending', 'in_progress');

create table bulk_item (
  user_id integer not null,
  job_uid text collate "C" not null,
  -- In the order of the request.
  position integer not null,
  -- As it was asked for: it may name nothing.
  item_uid text not null,
  platform text not null,
  status text not null default 'pending' check (status in ('pending', 'succeeded', 'failed', 'manual', 'cancelled')),
  -- The intent that does it, once begun.
  intent_id uuid,
  listing_id text,
  listing_url text,
  error_code text,
  error_message text,
  -- When the marketplace was read back.
  verified_at timestamptz,
  primary key (user_id, job_uid, position),
  foreign key (user_id, job_uid) references bulk_job (user_id, uid) on delete cascade
);
create index bulk_item_pending_idx on bulk_item (user_id, job_uid, position) where status = 'pending' and intent_id is null;
create index bulk_item_intent_idx on bulk_item (user_id, intent_id) where intent_id is not null and status = 'pending';
create index bulk_item_status_idx on bulk_item (user_id, job_uid, status, position);
