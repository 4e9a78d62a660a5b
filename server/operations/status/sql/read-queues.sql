-- The jobs of each queue that wait or run, and the age of the oldest that is due.
select name as queue, state::text as state, count(*)::integer as jobs,
  extract(epoch from now() - min(start_after))::double precision as oldest_seconds
from jobs.job
where state < 'completed'
group by name, state
