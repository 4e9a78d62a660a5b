-- Deliveries that are due, under a lease; of one endpoint and item only the oldest, so that an item's events arrive in
-- their order, and of one endpoint not too many at once.
with due as (
  select delivery.user_id, delivery.endpoint_uid, delivery.id
  from webhook_delivery delivery
  join webhook_endpoint endpoint on endpoint.user_id = delivery.user_id and endpoint.uid = delivery.endpoint_uid
  where delivery.state = 'pending' and delivery.next_attempt_at <= now() and endpoint.enabled
    and (delivery.lease_until is null or delivery.lease_until < now())
    and not exists (
      select from webhook_delivery earlier
      where earlier.user_id = delivery.user_id and earlier.endpoint_uid = delivery.endpoint_uid
        and earlier.item_uid = delivery.item_uid and earlier.state = 'pending' and earlier.id < delivery.id
    )
    and (
      select count(*) from webhook_delivery other
      where other.user_id = delivery.user_id and other.endpoint_uid = delivery.endpoint_uid
        and other.state = 'pending' and other.lease_until > now()
    ) < ${at_once}
  order by delivery.next_attempt_at, delivery.id
  limit ${count}
  for update of delivery skip locked
)
update webhook_delivery delivery set
  attempts = delivery.attempts + 1,
  lease_until = now() + ${lease_seconds} * interval '1 second'
from due, webhook_endpoint endpoint, event
where delivery.user_id = due.user_id and delivery.endpoint_uid = due.endpoint_uid and delivery.id = due.id
  and endpoint.user_id = delivery.user_id and endpoint.uid = delivery.endpoint_uid
  and event.user_id = delivery.user_id and event.seq = delivery.event_seq
returning delivery.user_id, delivery.endpoint_uid, delivery.id, delivery.attempts, endpoint.url, endpoint.sealed_secret,
  event.uid as event_uid, event.seq, event.type, event.item_uid, event.data, event.created_at
