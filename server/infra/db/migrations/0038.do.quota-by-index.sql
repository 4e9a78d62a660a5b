-- The budget's functions keep their plans as they were made first, when the tables were as good as empty. Their rows are
-- always found by their keys.
alter function take_platform_calls(text, text, jsonb, jsonb) set enable_seqscan = off;
alter function learn_platform_limits(text, text, integer, integer, integer) set enable_seqscan = off;

-- Every call of a platform changes one row of each: room beside it, so that a change stays on its page.
alter table platform_quota set (fillfactor = 20);
alter table platform_quota_shop set (fillfactor = 50);
alter table platform_quota_slot set (fillfactor = 50);

-- Pushes name a shop by its id or its name.
create index seller_account_name_idx on seller_account (platform, external_name) where status = 'connected';
