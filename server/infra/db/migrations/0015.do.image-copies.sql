-- Items with photos at addresses elsewhere, such as a marketplace's, which die with the listing. A job copies the photos and
-- then puts the addresses of the copies into the item.
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
  check (cardinality(sources) = cardinality(copies))
);

-- Queue the existing items before the foreign key locks their table.
insert into image_copy (user_id, item_uid) select user_id, uid from inventory_item where redirect_uid is null;
create index image_copy_due_idx on image_copy (user_id, due_at) where due_at is not null;

lock table inventory_item in share row exclusive mode;
delete from image_copy copy where not exists (
  select from inventory_item item where item.user_id = copy.user_id and item.uid = copy.item_uid
);
alter table image_copy add foreign key (user_id, item_uid) references inventory_item (user_id, uid) on delete cascade;
