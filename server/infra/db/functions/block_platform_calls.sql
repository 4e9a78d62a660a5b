-- Stops calls to a platform, or for one of its shops, for `p_wait`. Without a time the wait doubles with the refusals in a
-- row, up to five minutes. An hour without a refusal ends the row.
create or replace function block_platform_calls(p_platform text, p_app text, p_shop text, p_wait interval)
returns void
language plpgsql
as $$
declare
  past integer;
begin
  insert into platform_quota (platform, app) values (p_platform, p_app) on conflict do nothing;
  update platform_quota q set
    refusals = case when q.refused_at < clock_timestamp() - interval '1 hour' then 1 else q.refusals + 1 end,
    refused_at = clock_timestamp()
  where q.platform = p_platform and q.app = p_app
  returning q.refusals - 1 into past;
  p_wait := coalesce(p_wait, make_interval(secs => least(300, power(2, least(past, 10)))));
  if p_shop = '' then
    update platform_quota q set blocked_until = greatest(q.blocked_until, clock_timestamp() + p_wait)
    where q.platform = p_platform and q.app = p_app;
    return;
  end if;
  insert into platform_quota_shop as s (platform, app, shop, blocked_until)
  values (p_platform, p_app, p_shop, clock_timestamp() + p_wait)
  on conflict on constraint platform_quota_shop_pkey
    do update set blocked_until = greatest(s.blocked_until, excluded.blocked_until);
end;
$$;
