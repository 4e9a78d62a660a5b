-- Returns live jobs without a sign of life, of all users: imports that the extension never finished, imports that were
-- never started, and imports whose message to a worker was lost.
select user_id, uid, source, auto_start,
  case
    when source = 'extension' then touched_at < now() - interval '24 hours'
    else not auto_start and created_at < now() - interval '30 days'
  end as is_over
from import_job
where status in ('pending', 'in_progress') and touched_at < now() - interval '10 minutes'
  and (lease_until is null or lease_until < now())
order by touched_at
limit 500
