-- Bulk jobs have room for so many open intents on each platform: both questions are asked by platform.
create index bulk_item_unbegun_idx on bulk_item (user_id, job_uid, platform, position) where status = 'pending' and intent_id is null;
drop index bulk_item_pending_idx;
create index bulk_item_begun_platform_idx on bulk_item (user_id, job_uid, platform) where status = 'pending' and intent_id is not null;
drop index bulk_item_begun_idx;
