-- Counts calls in the current quarter of an hour. Without a priority they are calls that the platform reported.
create or replace function count_platform_calls(
  p_platform text, p_app text, p_shop text, p_instant timestamptz, p_calls integer, p_priority text default ''
)
returns void
language sql
begin atomic
  insert into platform_quota_slot (platform, app, shop, slot, priority, used)
  values (p_platform, p_app, p_shop, date_bin('15 minutes', p_instant, timestamptz '2000-01-01'), p_priority, p_calls)
  on conflict (platform, app, shop, slot, priority) do update set used = platform_quota_slot.used + excluded.used;
end;
