-- Removes a closed account's waiting jobs from the queue. Running ones stop before their next step.
delete from jobs.job where group_id = ${group} and state in ('created', 'retry')
