-- Claims orders that push notifications named and that were not fetched yet, one row per order. A claimed order is
-- postponed, so that it comes back if its worker dies.
with due as (
  select user_id, platform, external_order_id, seller_account_uid
  from order_fetch_request
  where handled_at is null and next_attempt_at <= now()
  order by next_attempt_at
  limit ${count}
  for update skip locked
),
taken as (
  update order_fetch_request event set
    attempts = event.attempts + 1,
    next_attempt_at = now() + ${lease_seconds} * interval '1 second'
  from (select distinct * from due) due
  where event.user_id = due.user_id and event.platform = due.platform
    and event.external_order_id = due.external_order_id and event.seller_account_uid = due.seller_account_uid
    and event.handled_at is null
  returning event.*
)
select user_id, platform, external_order_id, seller_account_uid, max(attempts) as attempts, max(times) as times,
  min(received_at) as received_at, now() as claimed_at, max(traceparent) as traceparent
from taken
group by user_id, platform, external_order_id, seller_account_uid
