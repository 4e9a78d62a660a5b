-- The first row of a job that is not over, however many are.
create index bulk_item_open_idx on bulk_item (user_id, job_uid, position) where status = 'pending';
