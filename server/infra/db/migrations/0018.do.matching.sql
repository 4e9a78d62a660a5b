-- The words of items, to find those that may be the same thing as a listing of another platform (possible_duplicate).
-- Filled when an import of another platform needs it, so that a seller of one platform never pays for it.

create table match_item (
  user_id integer not null,
  item_uid text collate "C" not null,
  -- Of the item, when its words were taken.
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
