-- Returns the daily calls of each budget, and those of the last 24 hours. A budget is a platform, or one of its APIs. An app's
-- limit of a single call is none.
select budget, per_day, platform_calls_today(platform, app, '', now())::integer as used
from platform_quota
cross join lateral (
  select platform || substring(app from ' [a-z]+/[a-z_]+$') as api
) named
cross join lateral (select coalesce(api, platform) as budget) called
cross join lateral (
  select coalesce(reported_per_day, (${plans}::jsonb -> budget ->> 'perDay')::integer) as per_day
) plan
where per_day is not null and (api is not null or app not like '% %')
