-- Makes the endpoint's waiting deliveries due now with all their attempts, in batches and without locked rows.
update webhook_delivery delivery set next_attempt_at = now(), attempts = 0
from (
  select id from webhook_delivery
  where user_id = ${user_id} and endpoint_uid = ${uid} and state = 'pending' and (attempts > 0 or next_attempt_at > now())
    and (lease_until is null or lease_until < now())
  limit ${count}
  for update skip locked
) waiting
where delivery.user_id = ${user_id} and delivery.endpoint_uid = ${uid} and delivery.id = waiting.id
