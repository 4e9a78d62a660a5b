-- Returns the oldest action of a job that is not done.
select uid, kind, status_filter, item_limit, skip_conflicts, state
from import_action
where user_id = ${user_id} and job_uid = ${uid} and state <> 'done'
order by uid
limit 1
