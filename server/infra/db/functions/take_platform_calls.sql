-- Takes calls out of a platform's budget for several requests in one round trip. Each request gets the calls that it may
-- make now, or the time in ms after which to ask again. Requests of a higher priority are served first.
-- `p_requests`: [{place, shop, priority, kept, share, calls}]. `kept` has the parts of a day that more urgent work keeps
-- back, by its priority. `share` is the part of a burst that the request may use.
-- `p_limits`: {per_second, per_day, shop_calls, shop_seconds}, each null where there is none.
--
-- Four limits apply, each with a test in quota.test.ts:
-- 1. the calls of the last 24 hours, since platforms count a sliding day: of the application, or of the shop where its
--    platform counts each shop's token by itself (record_platform_limits). More urgent work keeps back its part until
--    it has made those calls, and one shop makes at most three quarters of what is left to its kind of work
-- 2. a token bucket for the application, since Etsy counts calls per second
-- 3. a token bucket for the shop, since eBay counts a seller's calls per 15 seconds
-- 4. for bulk calls turns between shops: one import must not hold up the others
--
-- Rows are found by key. Without enable_seqscan = off, plans made while the tables were small would scan them
-- for good (webhooks/backlog.test.ts).
create or replace function take_platform_calls(p_platform text, p_app text, p_limits jsonb, p_requests jsonb)
returns table (place integer, granted integer, wait_ms integer)
language plpgsql
set enable_seqscan = off
as $$
declare
  -- One shop's part of what others leave of a day. The rest lets another shop begin at any time.
  shop_part constant double precision := 0.75;
  budget platform_quota;
  shop platform_quota_shop;
  request record;
  instant timestamptz;
  per_day double precision;
  cap double precision;
  rate double precision;
  shop_cap double precision;
  shop_rate double precision;
  -- Calls of the day by priority, and those of the shop for this kind of work.
  used jsonb;
  own integer;
  counted_for text;
  room double precision;
  in_bulk boolean;
  pace interval;
  possible double precision;
  due timestamptz;
begin
  -- A crash may forget the last calls: the platform's next answer reports them again.
  perform set_config('synchronous_commit', 'off', true);
  insert into platform_quota (platform, app) values (p_platform, p_app) on conflict do nothing;
  select * into strict budget from platform_quota q where q.platform = p_platform and q.app = p_app for update;
  instant := clock_timestamp();

  -- A bucket of `cap` that fills at `rate` lets through at most cap + rate * seconds in any window. Calls arrive less evenly
  -- than they are granted, so the rate stays a tenth below what that allows. A shop's window is long and evens them out.
  per_day := coalesce(budget.reported_per_day, (p_limits ->> 'per_day')::double precision);
  rate := coalesce(budget.reported_per_second, (p_limits ->> 'per_second')::double precision);
  cap := case when rate < 3 then 1 when rate < 10 then 1.5 else greatest(2, rate * 0.05) end;
  rate := greatest((rate - cap) * 0.9, rate * 0.5);
  shop_rate := (p_limits ->> 'shop_calls')::double precision;
  shop_cap := case when shop_rate < 3 then 1 else greatest(1.5, shop_rate * 0.03) end;
  shop_rate := greatest(shop_rate - shop_cap, shop_rate * 0.5) / (p_limits ->> 'shop_seconds')::double precision;

  if rate is not null then
    budget.level := least(cap, budget.level + rate * greatest(0, extract(epoch from instant - budget.level_at)));
  end if;
  -- Once per quarter of an hour.
  if not exists (
    select from platform_quota_slot s
    where s.platform = p_platform and s.app = p_app and s.shop = ''
      and s.slot = date_bin('15 minutes', instant, timestamptz '2000-01-01')
  ) then
    delete from platform_quota_slot s
    where s.platform = p_platform and s.app = p_app and s.slot < instant - interval '25 hours';
    delete from platform_quota_shop s
    where s.platform = p_platform and s.app = p_app and s.asked_at < instant - interval '25 hours';
  end if;
  used := platform_calls_by_priority(p_platform, p_app, '', instant);

  for request in
    select r.place, r.shop, coalesce(r.priority, '') as priority, r.kept, r.share, r.calls
    from jsonb_to_recordset(p_requests)
      as r (place integer, shop text, priority text, kept jsonb, share double precision, calls integer)
    order by r.share desc, r.place
  loop
    in_bulk := request.share <= 0.8;
    possible := request.calls;
    due := instant;
    pace := null;

    insert into platform_quota_shop as s (platform, app, shop, asked_at)
    values (p_platform, p_app, request.shop, case when in_bulk then instant else '-infinity' end)
    on conflict on constraint platform_quota_shop_pkey
      do update set asked_at = greatest(s.asked_at, excluded.asked_at)
    returning * into shop;

    if budget.blocked_until > instant or shop.blocked_until > instant then
      possible := 0;
      due := greatest(due, budget.blocked_until, shop.blocked_until);
    end if;

    -- Calls without a shop are few, and none of a budget that is counted by shop.
    if per_day is not null and not (budget.by_shop and request.shop = '') then
      counted_for := case when budget.by_shop then request.shop else '' end;
      if budget.by_shop then
        used := platform_calls_by_priority(p_platform, p_app, counted_for, instant);
      end if;
      select floor(per_day) - coalesce((select sum(value::integer) from jsonb_each_text(used)), 0)
        - coalesce(sum(greatest(0, ceil(per_day::numeric * value::numeric) - coalesce((used ->> key)::integer, 0))), 0)
      into room
      from jsonb_each_text(request.kept);
      possible := least(possible, room);
      if room < request.calls then
        due := greatest(due, platform_day_frees_at(p_platform, p_app, counted_for, instant, 1 - room::integer));
      end if;
      if room > 0 and not budget.by_shop and request.shop <> '' then
        own := coalesce(
          (platform_calls_by_priority(p_platform, p_app, request.shop, instant) ->> request.priority)::integer, 0);
        room := ceil(shop_part * (room + own)) - own;
        possible := least(possible, room);
        if room < request.calls then
          due := greatest(due, platform_day_frees_at(
            p_platform, p_app, request.shop, instant, 1 - room::integer, request.priority));
        end if;
      end if;
    end if;

    if rate is not null then
      -- Leave a reserve to higher priorities.
      room := budget.level - least((1 - request.share) * 1.5 * cap, (cap - 1) * 0.6);
      possible := least(possible, floor(room));
      if floor(room) < request.calls then
        due := greatest(due, instant + make_interval(secs => (1 - room) / rate));
      end if;
      if in_bulk and request.shop <> '' then
        -- Shops that asked within the last second, or wait for their turn, take turns.
        select make_interval(secs => count(*) / rate) into pace
        from platform_quota_shop s
        where s.platform = p_platform and s.app = p_app and s.shop <> ''
          and greatest(s.asked_at, s.next_at) > instant - interval '1 second';
        if shop.next_at > instant then
          possible := 0;
          due := greatest(due, shop.next_at);
        end if;
      end if;
    end if;

    if shop_rate is not null and request.shop <> '' then
      shop.level := least(shop_cap, shop.level + shop_rate * greatest(0, extract(epoch from instant - shop.level_at)));
      room := shop.level - least((1 - request.share) * shop_cap, shop_cap - 1);
      possible := least(possible, floor(room));
      if floor(room) < request.calls then
        due := greatest(due, instant + make_interval(secs => (1 - room) / shop_rate));
      end if;
    end if;

    place := request.place;
    granted := greatest(possible, 0);
    -- Grant a part at once. The next request for the rest returns its wait.
    wait_ms := case when granted > 0 then 0 else least(ceil(extract(epoch from due - instant) * 1000), 86400000) end;
    if granted > 0 then
      budget.level := budget.level - granted;
      used := used
        || jsonb_build_object(request.priority, coalesce((used ->> request.priority)::integer, 0) + granted);
      perform count_platform_calls(p_platform, p_app, '', instant, granted, request.priority);
      if request.shop <> '' then
        perform count_platform_calls(p_platform, p_app, request.shop, instant, granted, request.priority);
      end if;
      update platform_quota_shop s
      set
        level = shop.level - granted,
        level_at = instant,
        next_at = case when pace is null then s.next_at else greatest(s.next_at, instant - pace) + pace * granted end
      where s.platform = p_platform and s.app = p_app and s.shop = request.shop;
    end if;
    return next;
  end loop;

  update platform_quota q
  set level = budget.level, level_at = instant
  where q.platform = p_platform and q.app = p_app;
end;
$$;
