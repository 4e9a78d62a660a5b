-- Listings of bulk jobs that wait for an answer of the seller. `settled_at`: the seller asked for them again, or does not
-- want them.
alter table bulk_item add column settled_at timestamp with time zone;
create index bulk_item_unanswered_idx on bulk_item (user_id, platform, item_uid)
  where error_code in ('choice_required', 'seller_account_required') and settled_at is null;
