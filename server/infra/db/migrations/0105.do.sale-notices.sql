-- Whether eBay tells us of a shop's sales as they happen, and when that was last seen to.
alter table seller_account
  add column sale_notices text check (sale_notices in ('subscribed', 'consent_needed')),
  add column notices_checked_at timestamptz;
create index seller_account_notices_idx on seller_account (notices_checked_at nulls first)
  where platform = 'ebay' and status = 'connected';
