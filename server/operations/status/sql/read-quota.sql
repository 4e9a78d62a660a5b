-- Returns the daily calls of each budget, and those of the last 24 hours.
select platform as budget, per_day, platform_calls_today(platform, app, '', now())::integer as used
from platform_quota
cross join lateral (
  select coalesce(reported_per_day, (${plans}::jsonb -> platform ->> 'perDay')::integer) as per_day
) plan
where per_day is not null
