-- Counts requests in the current minute of each subject. Sorts, so that two servers lock rows in the same order.
select counted.subject, counted.count, extract(epoch from counted.ends_at - clock_timestamp())::float8 as seconds
from (
  select subject, requests from unnest($1::text[], $2::integer[]) as asked (subject, requests) order by 1
) asked
cross join lateral count_requests(asked.subject, asked.requests) counted
