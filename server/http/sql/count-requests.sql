-- The counts of the running minute by subject, after these requests. Sorted, so that two servers lock in one order. Does
-- not wait for the disk: a crash of the database may forget the counts of its last fifth of a second.
insert into request_count as known (subject, count, ends_at)
select subject, n, clock_timestamp() + interval '1 minute'
from unnest($1::text[], $2::integer[]) as given (subject, n)
cross join set_config('synchronous_commit', 'off', true)
order by 1
on conflict (subject) do update set
  count = case when known.ends_at <= clock_timestamp() then excluded.count else known.count + excluded.count end,
  ends_at = case when known.ends_at <= clock_timestamp() then excluded.ends_at else known.ends_at end
returning subject, count, extract(epoch from ends_at - clock_timestamp())::float8 as seconds
