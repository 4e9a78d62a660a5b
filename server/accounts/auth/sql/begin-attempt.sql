-- Counts an attempt as failed before it is tried, unless it has to wait: each failure from the ${max}th on makes the
-- next wait twice as long. Under the row's lock, so that of many at once exactly ${max} are tried.
insert into failed_attempt as known (kind, subject, network, count, admitted, blocked_until, expires_at)
values (${kind}, ${subject}, ${network}, 1, true, null, statement_timestamp() + ${window} * interval '1 second')
on conflict (kind, subject, network) do update set
  admitted = known.expires_at <= statement_timestamp() or coalesce(known.blocked_until <= statement_timestamp(), true),
  count = case
    when known.expires_at <= statement_timestamp() then 1
    when known.blocked_until > statement_timestamp() then known.count
    else known.count + 1
  end,
  blocked_until = case
    when known.expires_at <= statement_timestamp() then null
    when known.blocked_until > statement_timestamp() then known.blocked_until
    when known.count + 1 >= ${max} then statement_timestamp()
      + least(${longest}, ${first} * power(2, least(known.count + 1 - ${max}, 20))) * interval '1 second'
  end,
  expires_at = case
    when known.blocked_until > statement_timestamp() and known.expires_at > statement_timestamp() then known.expires_at
    else statement_timestamp() + ${window} * interval '1 second'
  end
returning admitted, count, extract(epoch from blocked_until - statement_timestamp())::float8 as wait
