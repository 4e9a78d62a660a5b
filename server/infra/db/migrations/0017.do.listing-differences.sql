-- Fields whose values at an item and at its live listing are unlike, as they were last read on the platform. `same`: not a
-- difference, but the value to compare the next reading with.
create table listing_difference (
  user_id integer not null,
  uid text collate "C" not null,
  seller_account_uid text not null,
  listing_id text collate "C" not null,
  field text not null check (field in ('title', 'description', 'price', 'photos')),
  -- A text, {"price_minor", "currency"}, or a list of addresses, as an item would take it.
  theirs jsonb not null,
  -- Of the normalized value: another one asks again about what was ignored.
  theirs_hash text not null,
  state text not null default 'open' check (state in ('open', 'ignored', 'same')),
  noticed_at timestamptz not null,
  primary key (user_id, seller_account_uid, listing_id, field),
  foreign key (user_id, seller_account_uid, listing_id)
    references channel_listing (user_id, seller_account_uid, listing_id) on update cascade on delete cascade
);
create unique index listing_difference_uid_key on listing_difference (user_id, uid);
create index listing_difference_state_idx on listing_difference (user_id, state, noticed_at desc, uid desc);

alter table undo_step
  drop constraint undo_step_kind_check,
  add constraint undo_step_kind_check check (
    kind in (
      'link', 'overwrite', 'create', 'skip', 'mark_sold', 'import_job', 'change_price', 'adopt', 'overwrite_listing',
      'ignore_difference'
    )
  ) not valid;
alter table undo_step validate constraint undo_step_kind_check;
