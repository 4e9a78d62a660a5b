-- When a seller's whole inventory was last checked for faults such as an item that is sold and still live.
create table inventory_check (
  user_id integer not null,
  checked_at timestamptz not null,
  constraint inventory_check_pkey primary key (user_id),
  constraint inventory_check_user_id_fkey foreign key (user_id) references app_user (id)
);

-- Faults that checks found. They are judged again whenever they are listed. `reference`: the platform, or another item.
-- `dismissed_facts`: the facts that the seller knows and accepts.
create table inventory_fault (
  user_id integer not null,
  uid text collate "C" not null,
  kind text not null,
  item_uid text collate "C" not null,
  reference text not null default '',
  found_at timestamptz not null default now(),
  dismissed_facts text,
  constraint inventory_fault_pkey primary key (user_id, uid),
  constraint inventory_fault_once_key unique (user_id, item_uid, kind, reference),
  constraint inventory_fault_user_id_item_uid_fkey foreign key (user_id, item_uid)
    references inventory_item (user_id, uid) on delete cascade,
  constraint inventory_fault_kind_check check (kind in ('sold_live', 'listed_twice', 'price_differs', 'photos_missing'))
);

-- The witness of an act: `api`, `page`, `mail` or `seller`. Without a check, which would read the whole table under a lock.
alter table inventory_history add column witness text;
