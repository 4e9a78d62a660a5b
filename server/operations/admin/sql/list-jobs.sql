-- Returns jobs of a state, those that failed last first. Without the payload, which may be encrypted or private.
select id, name as queue, state::text as state, group_id as account, retry_count, created_on, start_after, started_on, completed_on,
  left(output ->> 'message', 200) as error
from jobs.job
where state::text = ${state} and (${queue}::text is null or name = ${queue}) and (${account}::text is null or group_id = ${account})
order by coalesce(completed_on, started_on, created_on) desc
limit ${limit}
