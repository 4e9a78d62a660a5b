-- The notice for which what was read from a shop is still being erased, by steps of a job.
alter table seller_account add column erasing_for text;
create index seller_account_erasing_idx on seller_account (uid) where erasing_for is not null;
