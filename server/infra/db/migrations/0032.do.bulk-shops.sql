-- The shop that a bulk job lists in, where several of a platform are connected.

alter table bulk_job add column seller_account_uid text;

-- What of a job is under way: few rows of many, counted whenever something ends.
create index bulk_item_begun_idx on bulk_item (user_id, job_uid) where status = 'pending' and intent_id is not null;
