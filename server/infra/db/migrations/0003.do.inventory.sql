-- The inventory (spec 2.1, 3.1; decisions 7): items, their listings on the platforms, and every state change. The record
-- is built from these columns when it is read (server/catalog/inventory/build-record.ts).

-- Words are looked up within one user's items; the extension comes with PostgreSQL and any owner of a database may add it.
create extension if not exists btree_gin;

create table inventory_item (
  user_id integer not null references app_user,
  -- Grows with time (shared/identity.ts), so that the key is the order; bytes are compared, whatever the database's locale.
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
  search tsvector not null generated always as (
    to_tsvector('simple', title || ' ' || coalesce(attributes ->> 'brand', '') || ' ' || coalesce(sku, ''))
  ) stored,
  primary key (user_id, uid)
);
create unique index inventory_item_sku_key on inventory_item (user_id, sku) where sku is not null;
create index inventory_item_state_idx on inventory_item (user_id, state, uid);
create index inventory_item_updated_idx on inventory_item (user_id, updated_at);
create index inventory_item_product_idx on inventory_item (user_id, product_id, uid);
create index inventory_item_search_idx on inventory_item using gin (user_id, search);

-- A state moves only along decisions 7, and each move is a new version (faults I2). What is sold stays sold unless an
-- order is cancelled: the transaction that does so says it, `set local hapax.order_cancelled = 'on'`.
create function check_item_move() returns trigger language plpgsql as $$
begin
  if new.version <= old.version then
    raise exception 'a move of an item needs a new version' using errcode = 'check_violation';
  end if;
  if (old.state, new.state) in (
    ('available', 'reserved'), ('reserved', 'available'), ('available', 'withdrawn'), ('withdrawn', 'available'),
    ('available', 'sold'), ('reserved', 'sold')
  ) or (old.state = 'sold' and current_setting('hapax.order_cancelled', true) = 'on') then
    return new;
  end if;
  raise exception 'an item cannot move from % to %', old.state, new.state using errcode = 'check_violation';
end
$$;
create trigger inventory_item_move before update of state on inventory_item
  for each row when (old.state is distinct from new.state) execute function check_item_move();

-- One listing on one platform and the item it sells. A listing has one item (faults I5).
create table channel_listing (
  user_id integer not null,
  seller_account_uid text not null,
  -- The platform's own id.
  listing_id text collate "C" not null,
  item_uid text collate "C" not null,
  platform text not null,
  url text not null,
  state text not null check (state in ('available', 'reserved', 'sold', 'removed')),
  -- Live beside another live listing of the item on the same platform (the seller said that both are one thing).
  extra boolean not null default false,
  sku text,
  price_minor bigint not null check (price_minor >= 0),
  currency text not null,
  listed_at timestamptz,
  observed_at timestamptz not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (user_id, seller_account_uid, listing_id),
  foreign key (user_id, item_uid) references inventory_item (user_id, uid) on delete cascade,
  foreign key (user_id, seller_account_uid) references seller_account (user_id, uid)
);
-- At most one live listing of an item on a platform (faults I5).
create unique index channel_listing_live_key on channel_listing (user_id, item_uid, platform)
  where state in ('available', 'reserved') and not extra;
create index channel_listing_item_idx on channel_listing (user_id, item_uid);
create index channel_listing_platform_idx on channel_listing (user_id, platform, item_uid);

-- Every state of an item: who, when, why. The version that a state came with is its key.
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
  -- Such as an import job or an order.
  reference text,
  primary key (user_id, item_uid, version),
  foreign key (user_id, item_uid) references inventory_item (user_id, uid) on delete cascade
);

-- What stands in for what a listing lacks (decisions 7).
create table seller_settings (
  user_id integer not null references app_user,
  shipping_policy_url text,
  returns_policy_url text,
  default_currency text check (default_currency ~ '^[A-Z]{3}$'),
  -- A listing without a SKU is then a question (missing_sku), not an item.
  sku_required boolean not null default false,
  updated_at timestamptz not null default now(),
  primary key (user_id)
);
