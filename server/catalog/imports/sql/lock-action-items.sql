-- Locks these items of an action, except those that were resolved or skipped meanwhile.
select uid, external_listing_id, found, observed_at, status
from import_item
where user_id = ${user_id} and job_uid = ${job_uid} and uid = any(${uids}::text[]) and action_uid = ${action_uid}
  and status in ('pending', 'failed', 'conflict')
order by uid
for update
