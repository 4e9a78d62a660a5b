-- Returns the queue and state of a job.
select name as queue, state::text as state from jobs.job where id = ${id}::uuid
