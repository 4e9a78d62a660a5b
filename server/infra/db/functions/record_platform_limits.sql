-- Stores the limits that a platform's answer reported. Calls that the platform counted and we did not (made elsewhere, or
-- lost in a crash) are counted as made now. Rows are found by key, as in take_platform_calls.
create or replace function record_platform_limits(p_platform text, p_app text, p_per_second integer, p_per_day integer, p_left integer)
returns void
language plpgsql
set enable_seqscan = off
as $$
declare
  instant timestamptz;
  unknown_calls integer;
begin
  perform set_config('synchronous_commit', 'off', true);
  insert into platform_quota as q (platform, app, reported_per_second, reported_per_day)
  values (p_platform, p_app, p_per_second, p_per_day)
  on conflict (platform, app) do update
  set
    reported_per_second = coalesce(excluded.reported_per_second, q.reported_per_second),
    reported_per_day = coalesce(excluded.reported_per_day, q.reported_per_day),
    refusals = 0;
  instant := clock_timestamp();
  unknown_calls := p_per_day - p_left - platform_calls_today(p_platform, p_app, '', instant);
  if unknown_calls > 0 then
    perform count_platform_calls(p_platform, p_app, '', instant, unknown_calls);
  end if;
end;
$$;
