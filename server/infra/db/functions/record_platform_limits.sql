-- Stores the limits that a platform's answer reported. Calls that the platform counted and we did not (made elsewhere, or
-- lost in a crash) are counted as made now. An answer that reports far fewer calls than all shops made shows that the
-- platform counts each shop's token by itself; reports are then about the shop alone. The margin is for calls that are
-- under way, and for our day, which ends with a quarter of an hour. Rows are found by key, as in take_platform_calls.
create or replace function record_platform_limits(
  p_platform text, p_app text, p_per_second integer, p_per_day integer, p_left integer, p_shop text default ''
)
returns void
language plpgsql
set enable_seqscan = off
as $$
declare
  instant timestamptz;
  is_by_shop boolean;
  counted integer;
  unknown_calls integer;
begin
  perform set_config('synchronous_commit', 'off', true);
  insert into platform_quota as q (platform, app, reported_per_second, reported_per_day)
  values (p_platform, p_app, p_per_second, p_per_day)
  on conflict (platform, app) do update
  set
    reported_per_second = coalesce(excluded.reported_per_second, q.reported_per_second),
    reported_per_day = coalesce(excluded.reported_per_day, q.reported_per_day),
    refusals = 0
  returning q.by_shop into is_by_shop;
  instant := clock_timestamp();
  counted := platform_calls_today(p_platform, p_app, '', instant);
  if not is_by_shop and p_shop <> '' and p_per_day - p_left < counted - greatest(100, p_per_day / 20) then
    update platform_quota q set by_shop = true where q.platform = p_platform and q.app = p_app;
    is_by_shop := true;
  end if;
  if is_by_shop then
    counted := case when p_shop <> '' then platform_calls_today(p_platform, p_app, p_shop, instant) end;
  end if;
  unknown_calls := p_per_day - p_left - counted;
  if unknown_calls > 0 then
    perform count_platform_calls(p_platform, p_app, case when is_by_shop then p_shop else '' end, instant, unknown_calls);
  end if;
end;
$$;
