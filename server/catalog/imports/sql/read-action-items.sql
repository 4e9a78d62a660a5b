-- Returns the next items of an action that were not decided otherwise meanwhile.
select uid, external_listing_id, found, observed_at, status
from import_item
where user_id = ${user_id} and job_uid = ${job_uid} and action_uid = ${action_uid}
  and status in ('pending', 'failed', 'conflict')
order by uid
limit ${limit}
