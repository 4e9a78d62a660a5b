-- Takes calls out of a platform's budget for several requests in one round trip. Each request gets the calls that it may
-- make now, or the time after which to ask again. Two things bound it: the calls of the last 24 hours, and a bucket that
-- fills at a steady rate. `p_requests`: [{place, shop, share, calls}]. A request leaves 1 - `share` of the day to requests
-- of a higher share, and one and a half times that part of the bucket. Requests of a higher share are served first.
-- `p_limits`: {per_second, per_day, shop_calls, shop_seconds}, each null where there is none.
-- Rows are found by key: without enable_seqscan = off, plans made while the tables were empty would scan them for good.
create or replace function take_platform_calls(p_platform text, p_app text, p_limits jsonb, p_requests jsonb)
returns table (place integer, granted integer, wait_ms integer)
language plpgsql
set enable_seqscan = off
as $$
declare
  -- A shop's part of what the requests in bulk may have of a day, so that another shop can always begin.
  day_part constant double precision := 0.75;
  budget platform_quota;
  own platform_quota_shop;
  request record;
  instant timestamptz;
  per_day double precision;
  cap double precision;
  rate double precision;
  shop_cap double precision;
  shop_rate double precision;
  reserve double precision;
  shop_reserve double precision;
  today integer;
  own_today integer;
  in_bulk boolean;
  pace interval;
  possible double precision;
  due timestamptz;
begin
  -- The budget of a second is worth no flush to disk; a crash may forget the last calls, and the platform tells again.
  perform set_config('synchronous_commit', 'off', true);
  insert into platform_quota (platform, app) values (p_platform, p_app) on conflict do nothing;
  select * into strict budget from platform_quota q where q.platform = p_platform and q.app = p_app for update;
  instant := clock_timestamp();

  -- A bucket of `cap` that fills at `rate` lets through cap + rate * seconds at most in any window of so many seconds.
  -- Calls arrive less evenly than they are granted, which a short window shows; the rate stays a tenth below it.
  rate := coalesce(budget.reported_per_second, (p_limits ->> 'per_second')::double precision);
  cap := case when rate < 3 then 1 when rate < 10 then 1.5 else greatest(2, rate * 0.05) end;
  rate := greatest((rate - cap) * 0.9, rate * 0.5);
  per_day := coalesce(budget.reported_per_day, (p_limits ->> 'per_day')::double precision);
  shop_rate := (p_limits ->> 'shop_calls')::double precision;
  -- A shop's window is long, so that a smaller bucket holds what arrives unevenly, and more is left to the steady rate.
  shop_cap := case when shop_rate < 3 then 1 else greatest(1.5, shop_rate * 0.03) end;
  shop_rate := greatest(shop_rate - shop_cap, shop_rate * 0.5) / (p_limits ->> 'shop_seconds')::double precision;

  if rate is not null then
    budget.level := least(cap, budget.level + rate * extract(epoch from instant - budget.level_at));
  end if;
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
  today := platform_calls_today(p_platform, p_app, '', instant);

  for request in
    select r.place, r.shop, r.share, r.calls
    from jsonb_to_recordset(p_requests) as r (place integer, shop text, share double precision, calls integer)
    order by r.share desc, r.place
  loop
    in_bulk := request.share <= 0.8;
    possible := request.calls;
    due := instant;
    pace := null;
    -- What this request must leave in the buckets.
    reserve := least((1 - request.share) * 1.5 * cap, (cap - 1) * 0.6);
    shop_reserve := least((1 - request.share) * shop_cap, shop_cap - 1);

    insert into platform_quota_shop as s (platform, app, shop, asked_at)
    values (p_platform, p_app, request.shop, case when in_bulk then instant else '-infinity' end)
    on conflict on constraint platform_quota_shop_pkey
      do update set asked_at = greatest(s.asked_at, excluded.asked_at)
    returning * into own;

    if budget.blocked_until > instant or own.blocked_until > instant then
      possible := 0;
      due := greatest(due, budget.blocked_until, own.blocked_until);
    end if;

    if rate is not null then
      possible := least(possible, floor(budget.level - reserve));
      if possible < request.calls then
        due := greatest(due, instant + make_interval(secs => (1 + reserve - budget.level) / rate));
      end if;
      if in_bulk and request.shop <> '' then
        select make_interval(secs => count(*) / rate) into pace
        from platform_quota_shop s
        where s.platform = p_platform and s.app = p_app and s.shop <> ''
          -- The shop asked just now, or waits for its turn.
          and greatest(s.asked_at, s.next_at) > instant - interval '1 second';
        if own.next_at > instant then
          possible := 0;
          due := greatest(due, own.next_at);
        end if;
      end if;
    end if;

    if shop_rate is not null and request.shop <> '' then
      own.level := least(shop_cap, own.level + shop_rate * extract(epoch from instant - own.level_at));
      possible := least(possible, floor(own.level - shop_reserve));
      if possible < request.calls then
        due := greatest(due, instant + make_interval(secs => (1 + shop_reserve - own.level) / shop_rate));
      end if;
    end if;

    if per_day is not null then
      if today + request.calls > floor(per_day * request.share) then
        possible := least(possible, floor(per_day * request.share) - today);
        due := greatest(due, coalesce(
          platform_day_frees_at(p_platform, p_app, '', instant, today + 1 - floor(per_day * request.share)::integer),
          instant + interval '1 day'
        ));
      end if;
      if in_bulk and request.shop <> '' then
        own_today := platform_calls_today(p_platform, p_app, request.shop, instant);
        if own_today + request.calls > floor(per_day * request.share * day_part) then
          possible := least(possible, floor(per_day * request.share * day_part) - own_today);
          due := greatest(due, coalesce(
            platform_day_frees_at(
              p_platform, p_app, request.shop, instant,
              own_today + 1 - floor(per_day * request.share * day_part)::integer
            ),
            instant + interval '1 day'
          ));
        end if;
      end if;
    end if;

    place := request.place;
    granted := greatest(possible, 0);
    -- A part is granted at once; what the rest waits for is not said before it is asked for.
    wait_ms := case when granted > 0 then 0 else least(ceil(extract(epoch from due - instant) * 1000), 86400000) end;
    if granted > 0 then
      budget.level := budget.level - granted;
      today := today + granted;
      perform count_platform_calls(p_platform, p_app, '', instant, granted);
      if request.shop <> '' then
        perform count_platform_calls(p_platform, p_app, request.shop, instant, granted);
      end if;
      update platform_quota_shop s
      set
        level = own.level - granted,
        level_at = instant,
        next_at = case when pace is null or not in_bulk then s.next_at
          else greatest(s.next_at, instant - pace) + pace * granted end
      where s.platform = p_platform and s.app = p_app and s.shop = request.shop;
    end if;
    return next;
  end loop;

  update platform_quota q
  set level = budget.level, level_at = instant
  where q.platform = p_platform and q.app = p_app;
end;
$$;
