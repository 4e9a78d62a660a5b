-- When a shop's live listings were last compared with ours (faults F27).
alter table seller_account add column reconciled_at timestamptz;
create index seller_account_reconcile_idx on seller_account (reconciled_at nulls first) where status = 'connected';
