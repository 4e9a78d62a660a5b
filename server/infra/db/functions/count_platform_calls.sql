-- Counts calls in the current quarter of an hour.
create or replace function count_platform_calls(p_platform text, p_app text, p_shop text, p_instant timestamptz, p_calls integer)
returns void
language sql
begin atomic
  insert into platform_quota_slot (platform, app, shop, slot, used)
  values (p_platform, p_app, p_shop, date_bin('15 minutes', p_instant, timestamptz '2000-01-01'), p_calls)
  on conflict (platform, app, shop, slot) do update set used = platform_quota_slot.used + excluded.used;
end;
