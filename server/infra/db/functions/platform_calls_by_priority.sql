-- Returns the calls of the last 24 hours by priority. The oldest quarter of an hour counts until all of it is over.
create or replace function platform_calls_by_priority(p_platform text, p_app text, p_shop text, p_instant timestamptz)
returns jsonb
language sql stable
return (
  select coalesce(jsonb_object_agg(priority, used), '{}')
  from (
    select priority, sum(used)::integer as used
    from platform_quota_slot
    where platform = p_platform and app = p_app and shop = p_shop and slot > p_instant - interval '24 hours 15 minutes'
    group by priority
  ) as priorities
);
