-- What waits for an endpoint is due now, with all its attempts: some of it at a time, and without what others hold.
update webhook_delivery delivery set next_attempt_at = now(), attempts = 0
from (
  select id from webhook_delivery
  where user_id = ${user_id} and endpoint_uid = ${uid} and state = 'pending' and (attempts > 0 or next_attempt_at > now())
    and (lease_until is null or lease_until < now())
  limit ${count}
  for update skip locked
) waiting
where delivery.user_id = ${user_id} and delivery.endpoint_uid = ${uid} and delivery.id = waiting.id
