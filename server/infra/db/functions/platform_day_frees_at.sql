-- Returns when the day has room for one more call: the time at which `p_too_many` of its calls are a day old, of this
-- priority unless it is null. Without any allowed call, returns a day from now.
create or replace function platform_day_frees_at(
  p_platform text, p_app text, p_shop text, p_instant timestamptz, p_too_many integer, p_priority text default null
)
returns timestamptz
language sql stable
return (
  select coalesce(min(slot) + interval '24 hours 15 minutes', p_instant + interval '1 day')
  from (
    select slot, sum(used) over (order by slot) as freed
    from platform_quota_slot
    where platform = p_platform and app = p_app and shop = p_shop and slot > p_instant - interval '24 hours 15 minutes'
      and priority = coalesce(p_priority, priority)
  ) as slots
  where freed >= p_too_many
);
