-- When each marketplace shop was first connected to any account, by a keyed hash: a shop has one trial, however many
-- accounts its seller makes, and it says nothing about the seller once an account is erased.
create table trial_shop (
  shop_hash bytea primary key,
  first_connected_at timestamptz not null default now()
);
-- The first connection of any of the account's shops, where that was before the account was made.
alter table app_user add column trial_from timestamptz;
