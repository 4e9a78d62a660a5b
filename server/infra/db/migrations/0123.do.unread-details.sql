-- When to read what an import left out of a listing: the calls of the day were used up.
alter table channel_listing add column details_due_at timestamptz;
create index channel_listing_details_idx on channel_listing (user_id, seller_account_uid, details_due_at)
  where details_due_at is not null;
