-- Returns the next import that ended ${import_days} days ago and whose older readings are still there, and locks it.
-- Skips locked ones.
select user_id, uid as job_uid
from import_job
where completed_at < now() - ${import_days} * interval '1 day' and pruned_at is null
order by completed_at
limit 1
for no key update skip locked
