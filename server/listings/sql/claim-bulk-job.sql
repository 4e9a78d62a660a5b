-- Open bulk jobs that nobody works on at this moment, with room for more intents; held until the transaction ends.
select job.user_id, job.uid, job.action, job.price
from bulk_job job
where job.status in ('pending', 'in_progress')
  and (
    select count(*) from bulk_item item
    where item.user_id = job.user_id and item.job_uid = job.uid and item.status = 'pending' and item.intent_id is not null
  ) < ${room}
order by job.created_at
limit 1
for update of job skip locked
