-- Returns the calls of the last 24 hours. The oldest quarter of an hour counts until all of it is over.
create or replace function platform_calls_today(p_platform text, p_app text, p_shop text, p_instant timestamptz)
returns integer
language sql stable
return (
  select coalesce(sum(used), 0)::integer
  from platform_quota_slot
  where platform = p_platform and app = p_app and shop = p_shop and slot > p_instant - interval '24 hours 15 minutes'
);
