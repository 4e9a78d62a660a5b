-- What the platforms let one application call, as one budget for all processes (platforms 1.3, 2.2; faults F20). Nothing
-- here belongs to a user: shops stand under the platform's own id or a token's hash, and are forgotten after a quiet day.

create table platform_quota (
  platform text not null,
  app text not null,
  -- Limits that the platform's answers told; they stand before the documented ones.
  told_per_second integer,
  told_per_day integer,
  -- A bucket that fills while time passes; every call takes one out.
  level double precision not null default 'Infinity',
  level_at timestamptz not null default now(),
  -- The platform said "not now".
  blocked_until timestamptz not null default '-infinity',
  refusals integer not null default 0,
  primary key (platform, app)
);

create table platform_quota_shop (
  platform text not null,
  app text not null,
  shop text not null,
  level double precision not null default 'Infinity',
  level_at timestamptz not null default now(),
  blocked_until timestamptz not null default '-infinity',
  -- Fair share: when this shop's next call in bulk is due, and when it last wanted one.
  next_at timestamptz not null default '-infinity',
  asked_at timestamptz not null default now(),
  primary key (platform, app, shop)
);
create index platform_quota_shop_asked_idx on platform_quota_shop (platform, app, asked_at);

-- Calls by quarters of an hour, of the application as a whole (shop '') and of each shop.
create table platform_quota_slot (
  platform text not null,
  app text not null,
  shop text not null,
  slot timestamptz not null,
  used integer not null,
  primary key (platform, app, shop, slot)
);

-- Calls that may count for the last 24 hours: the oldest quarter of an hour counts until all of it is over.
create function platform_calls_today(p_platform text, p_app text, p_shop text, p_instant timestamptz)
returns integer
language sql stable
return (
  select coalesce(sum(used), 0)::integer
  from platform_quota_slot
  where platform = p_platform and app = p_app and shop = p_shop and slot > p_instant - interval '24 hours 15 minutes'
);

create function note_platform_calls(p_platform text, p_app text, p_shop text, p_instant timestamptz, p_calls integer)
returns void
language sql
begin atomic
  insert into platform_quota_slot (platform, app, shop, slot, used)
  values (p_platform, p_app, p_shop, date_bin('15 minutes', p_instant, timestamptz '2000-01-01'), p_calls)
  on conflict (platform, app, shop, slot) do update set used = platform_quota_slot.used + excluded.used;
end;

-- When the day has room for one call more: the moment at which so many of today's calls are a day old.
create function platform_day_frees_at(p_platform text, p_app text, p_shop text, p_instant timestamptz, p_too_many integer)
returns timestamptz
language sql stable
return (
  select min(slot) + interval '24 hours 15 minutes'
  from (
    select slot, sum(used) over (order by slot) as freed
    from platform_quota_slot
    where platform = p_platform and app = p_app and shop = p_shop and slot > p_instant - interval '24 hours 15 minutes'
  ) as slots
  where freed >= p_too_many
);

-- Takes calls out of the budget, for several requests in one round trip: each gets what it may have now, and how long to
-- wait before asking for the rest. `p_requests`: [{place, shop, share, calls}]; `share` says how far into a budget the
-- request may reach (1: to the end; 0.8: a fifth stays for others). Requests that reach further are served first.
-- `p_limits`: {per_second, per_day, shop_calls, shop_seconds}, each null where there is none.
create function take_platform_calls(p_platform text, p_app text, p_limits jsonb, p_requests jsonb)
returns table (place integer, granted integer, wait_ms integer)
language plpgsql
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
  -- Calls do not arrive as evenly as they are granted, which counts where the window is short.
  rate := coalesce(budget.told_per_second, (p_limits ->> 'per_second')::double precision);
  cap := case when rate < 3 then 1 else greatest(1.5, rate * 0.05) end;
  rate := greatest((rate - cap) * 0.9, rate * 0.5);
  per_day := coalesce(budget.told_per_day, (p_limits ->> 'per_day')::double precision);
  shop_rate := (p_limits ->> 'shop_calls')::double precision;
  shop_cap := case when shop_rate < 3 then 1 else greatest(1.5, shop_rate * 0.05) end;
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
    reserve := least((1 - request.share) * cap, cap - 1);
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
        where s.platform = p_platform and s.app = p_app and s.shop <> '' and s.asked_at > instant - interval '5 seconds';
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
      perform note_platform_calls(p_platform, p_app, '', instant, granted);
      if request.shop <> '' then
        perform note_platform_calls(p_platform, p_app, request.shop, instant, granted);
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

-- The platform said "not now": nobody calls it for `p_wait`, or for a growing while where it does not say how long.
-- With a shop: nobody calls it for that shop.
create function block_platform_calls(p_platform text, p_app text, p_shop text, p_wait interval)
returns void
language plpgsql
as $$
declare
  past integer;
begin
  insert into platform_quota (platform, app) values (p_platform, p_app) on conflict do nothing;
  update platform_quota q set refusals = q.refusals + 1
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

-- What an answer told about the limits. Calls that the platform counts and we do not (made elsewhere, or forgotten in a
-- crash) are taken as made now.
create function learn_platform_limits(p_platform text, p_app text, p_per_second integer, p_per_day integer, p_left integer)
returns void
language plpgsql
as $$
declare
  instant timestamptz;
  unknown_calls integer;
begin
  perform set_config('synchronous_commit', 'off', true);
  insert into platform_quota as q (platform, app, told_per_second, told_per_day)
  values (p_platform, p_app, p_per_second, p_per_day)
  on conflict (platform, app) do update
  set
    told_per_second = coalesce(excluded.told_per_second, q.told_per_second),
    told_per_day = coalesce(excluded.told_per_day, q.told_per_day),
    refusals = 0;
  instant := clock_timestamp();
  unknown_calls := p_per_day - p_left - platform_calls_today(p_platform, p_app, '', instant);
  if unknown_calls > 0 then
    perform note_platform_calls(p_platform, p_app, '', instant, unknown_calls);
  end if;
end;
$$;
