-- name: countRequests
-- Counts requests in the current minute of each subject. Sorts, so that two servers lock rows in the same order.
select counted.subject as "subject!", counted.count as "count!",
  extract(epoch from counted.ends_at - clock_timestamp())::float8 as "seconds!"
from (
  select subject, requests from unnest(:subjects::text[], :requests::integer[]) as asked (subject, requests) order by 1
) asked
cross join lateral count_requests(asked.subject, asked.requests) counted
