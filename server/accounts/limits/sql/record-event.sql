-- Records an event of a subject, unless one of the limits (`maxima` within `seconds`) is reached. The row's lock keeps
-- it exact under any parallelism.
insert into recent_event as known (kind, subject, times, allowed, expires_at)
values (${kind}, ${subject}, array[statement_timestamp()], true,
  statement_timestamp() + ${longest} * interval '1 second')
on conflict (kind, subject) do update set
  allowed = not exists (
    select from unnest(${maxima}::integer[], ${seconds}::float8[]) as allowed (max, seconds)
    where allowed.max <= (
      select count(*) from unnest(known.times) as past (at)
      where past.at > statement_timestamp() - allowed.seconds * interval '1 second'
    )
  ),
  times = (
    select coalesce(array_agg(past.at order by past.at), '{}') from unnest(known.times) as past (at)
    where past.at > statement_timestamp() - ${longest} * interval '1 second'
  ) || case when exists (
    select from unnest(${maxima}::integer[], ${seconds}::float8[]) as allowed (max, seconds)
    where allowed.max <= (
      select count(*) from unnest(known.times) as past (at)
      where past.at > statement_timestamp() - allowed.seconds * interval '1 second'
    )
  ) then '{}'::timestamptz[] else array[statement_timestamp()] end,
  expires_at = statement_timestamp() + ${longest} * interval '1 second'
returning allowed, (
  select coalesce(array_agg(extract(epoch from statement_timestamp() - past.at)::float8 order by past.at desc), '{}')
  from unnest(times) as past (at)
) as ages
