-- Records an attempt without an answer. All notifications of the browser wait, longer each time. After some failures they
-- are dropped, and the subscription ends after five days of failures. Returns the number of failures, and whether the
-- subscription has ended.
with failed as (
  update web_push_subscription set
    failures = failures + 1,
    failing_since = coalesce(failing_since, now()),
    paused_until = now() + (array[5, 30, 120, 600, 1800])[least(failures + 1, 5)] * interval '1 second'
  where user_id = ${user_id} and endpoint_hash = ${endpoint_hash}
  returning failures, paused_until, failing_since <= now() - interval '5 days' as is_dead
),
dropped as (
  delete from web_push_notice notice using failed
  where notice.user_id = ${user_id} and notice.endpoint_hash = ${endpoint_hash} and failed.failures >= ${most_failures}
),
postponed as (
  update web_push_notice notice set
    next_attempt_at = greatest(notice.next_attempt_at, failed.paused_until),
    lease_until = case when notice.id = ${id} then null else notice.lease_until end
  from failed
  where notice.user_id = ${user_id} and notice.endpoint_hash = ${endpoint_hash} and failed.failures < ${most_failures}
)
select failures, is_dead from failed
