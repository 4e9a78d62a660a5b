-- Orders, sales and alarms (decisions 8; faults I1, I2, I4, I11). No buyer's data is kept.

create table marketplace_order (
  user_id integer not null references app_user,
  -- Grows with time (shared/identity.ts).
  uid text collate "C" not null,
  -- A slug; `outside` for what the seller sold in person.
  platform text not null,
  seller_account_uid text,
  external_order_id text collate "C" not null,
  -- platform: as an API told it; scraped: a listing that the extension saw as sold; outside: the seller said so.
  source text not null check (source in ('platform', 'scraped', 'outside')),
  status text not null check (status in ('pending', 'paid', 'cancelled')),
  ordered_at timestamptz not null,
  -- The platform's time of its last change.
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
  -- Of one unit.
  price_minor bigint not null check (price_minor >= 0),
  currency text not null,
  item_uid text collate "C",
  matched_by text check (matched_by in ('listing', 'sku', 'seller')),
  status text not null check (status in ('pending', 'paid', 'cancelled')),
  -- held: promised, not paid; sold: has the item; oversell: another line has it; unmatched: no item of ours.
  state text not null check (state in ('held', 'sold', 'oversell', 'cancelled', 'unmatched')),
  modified_at timestamptz not null,
  recorded_at timestamptz not null default clock_timestamp(),
  -- When to see whether the listing that sold it is really down: it may have offered more than one.
  check_listing_at timestamptz,
  primary key (user_id, order_uid, external_line_id),
  foreign key (user_id, order_uid) references marketplace_order (user_id, uid) on delete cascade,
  check (state not in ('held', 'sold', 'oversell') or item_uid is not null),
  check ((item_uid is null) = (matched_by is null)),
  check ((status = 'cancelled') = (state = 'cancelled'))
);
-- One line has the item.
create unique index order_line_holder_key on order_line (user_id, item_uid) where state in ('held', 'sold');
create index order_line_item_idx on order_line (user_id, item_uid) where item_uid is not null;
create index order_line_check_idx on order_line (check_listing_at) where check_listing_at is not null;
create index order_line_unmatched_idx on order_line (user_id, listing_id) where state = 'unmatched';

-- A sale is a line that has the item for money. It ends when its order is cancelled, and is never deleted.
create table sale (
  user_id integer not null,
  id bigint generated always as identity,
  item_uid text collate "C" not null,
  order_uid text collate "C" not null,
  external_line_id text collate "C" not null,
  platform text not null,
  sold_at timestamptz not null default now(),
  cancelled boolean not null default false,
  cancelled_at timestamptz,
  primary key (user_id, id),
  foreign key (user_id, order_uid, external_line_id) references order_line (user_id, order_uid, external_line_id),
  check (cancelled = (cancelled_at is not null))
);
-- The promise that Hapax is for (faults I1).
create unique index sale_live_key on sale (user_id, item_uid) where not cancelled;

-- An item that somebody has is not for sale, whoever asks, and each move is exactly one version further (faults I2).
create function check_item_sale() returns trigger language plpgsql as $$
begin
  if new.version <> old.version + 1 then
    raise exception 'a move of an item is one version' using errcode = 'check_violation';
  end if;
  if old.state = 'sold' and exists (
    select from sale where user_id = new.user_id and item_uid = new.uid and not cancelled
  ) then
    raise exception 'an item that is sold cannot become %', new.state using errcode = 'check_violation';
  end if;
  return new;
end
$$;
create trigger inventory_item_sale before update of state on inventory_item
  for each row when (old.state is distinct from new.state) execute function check_item_sale();

-- What a person should look at. Stays open until it is over by itself or the seller puts it aside.
create table alarm (
  user_id integer not null references app_user,
  uid text collate "C" not null,
  -- oversell, excess_quantity, sold_while_withdrawn, relist_offer, orders_unread, ...
  kind text not null,
  item_uid text collate "C",
  platform text,
  -- What it is about besides: an order's line, a shop.
  reference text not null default '',
  message text not null,
  data jsonb not null default '{}',
  state text not null default 'open' check (state in ('open', 'resolved', 'dismissed')),
  created_at timestamptz not null default now(),
  finished_at timestamptz,
  primary key (user_id, uid),
  check ((state = 'open') = (finished_at is null))
);
-- The same thing is said once.
create unique index alarm_open_key on alarm (user_id, kind, coalesce(item_uid, ''), reference) where state = 'open';
create index alarm_newest_idx on alarm (user_id, created_at desc, uid desc);

-- Every order that a platform told us of and that we acknowledged (faults I4). Only a hint: handled when it was fetched.
create table order_event (
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
  primary key (user_id, platform, external_order_id, external_line_id, seller_account_uid),
  foreign key (user_id, seller_account_uid) references seller_account (user_id, uid)
);
create index order_event_due_idx on order_event (next_attempt_at) where handled_at is null;

-- Ids of the pushes that were acknowledged, so that one sent twice is one (threats T92). Kept for 30 days.
create table push_receipt (
  platform text not null,
  message_id text collate "C" not null,
  -- order, account_deletion, or what we do not act upon.
  topic text not null,
  received_at timestamptz not null default now(),
  -- For an erasure: the subject's id as SHA-256, and what was erased, how often. Kept for good.
  subject_hash bytea,
  erased jsonb,
  primary key (platform, message_id)
);
create index push_receipt_received_idx on push_receipt (received_at);

-- Reading the orders of a shop: what was read and when the next reading is due.
create table order_sync (
  user_id integer not null,
  seller_account_uid text not null,
  platform text not null,
  -- The shop's orders that changed before this moment, by the platform's clock, were read.
  read_until timestamptz,
  -- When a reading went over the whole overlap last.
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
  -- An order that a push should have told and a reading found.
  last_missed_push_at timestamptz,
  created_at timestamptz not null default now(),
  primary key (user_id, seller_account_uid),
  foreign key (user_id, seller_account_uid) references seller_account (user_id, uid)
);
create index order_sync_due_idx on order_sync (next_read_at);
create index order_sync_platform_idx on order_sync (platform);
