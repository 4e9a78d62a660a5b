-- Takes a closed account's waiting work out of the queue; what runs stops by itself before its next step.
delete from jobs.job where group_id = ${group} and state in ('created', 'retry')
