-- Returns what deciding a job's items needs to know about the job. `taken_in_until`: the matcher had indexed all items
-- when the job's last batch came.
select user_id, uid, seller_account_uid, platform, case when found_so_far > 0 then touched_at end as taken_in_until,
  status in ('pending', 'in_progress') and not discovery_done as is_discovering
from import_job
where user_id = ${user_id} and uid = ${job_uid}
