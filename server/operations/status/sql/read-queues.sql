-- Returns the waiting and running jobs of each queue, and the age of the oldest due one.
select name as queue, state::text as state, count(*)::integer as jobs,
  extract(epoch from now() - min(start_after))::double precision as oldest_seconds
from jobs.job
where state < 'completed'
group by name, state
