-- Returns for each platform the take-downs after sales of the window, and their duration. Cancelled ones do not count.
with ordered as (
  select platform, seen_at, accepted_at, confirmed_at, state
  from listing_operation
  where kind = 'delist' and cause in ('sale', 'mark_sold') and created_at > ${from} and state <> 'cancelled'
  union all
  select platform, created_at, finished_at, finished_at, case status when 'completed' then 'done' else 'open' end
  from extension_task
  where kind = 'delist' and cause in ('sale', 'mark_sold') and created_at > ${from} and status <> 'dismissed'
),
timed as (
  select platform, confirmed_at is not null as is_confirmed,
    coalesce(confirmed_at, now()) - seen_at > interval '5 minutes' as is_late,
    extract(epoch from accepted_at - seen_at) * 1000 as accepted_ms,
    extract(epoch from confirmed_at - seen_at) * 1000 as confirmed_ms
  from ordered
)
select platform,
  count(*)::integer as ordered,
  (count(*) filter (where is_confirmed))::integer as confirmed,
  (count(*) filter (where is_late and not is_confirmed))::integer as overdue,
  (count(*) filter (where is_confirmed and not is_late))::float
    / nullif(count(*) filter (where is_confirmed or is_late), 0) as success_rate,
  percentile_cont(array[0.5, 0.95, 0.99]) within group (order by accepted_ms) as accepted,
  percentile_cont(array[0.5, 0.95, 0.99]) within group (order by confirmed_ms) as confirmed_within
from timed
group by platform
