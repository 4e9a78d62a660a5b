-- Notes what the seller asks of a job; the same thing asked for again while it waits is one. No row: no such job.
insert into import_action (user_id, job_uid, uid, kind, status_filter, item_limit, skip_conflicts)
select user_id, uid, ${action_uid}, ${kind}, ${status_filter}, ${limit}, ${skip_conflicts}
from import_job
where user_id = ${user_id} and uid = ${job_uid}
on conflict do nothing
