-- Inserts an action of a job. The same action that waits already is returned. No row if there is no such job.
insert into import_action (user_id, job_uid, uid, kind, status_filter, item_limit, skip_conflicts)
select user_id, uid, ${action_uid}, ${kind}, ${status_filter}, ${limit}, ${skip_conflicts}
from import_job
where user_id = ${user_id} and uid = ${job_uid}
on conflict do nothing
