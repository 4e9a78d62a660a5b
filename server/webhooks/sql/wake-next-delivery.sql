-- Makes the next delivery of an item due, after the previous one has ended. A delivery that was already tried keeps its
-- retry time. Skips a delivery that a replay has locked, because the replay queues it again.
update webhook_delivery delivery set next_attempt_at = delivery.created_at
from (
  select id from webhook_delivery
  where user_id = ${user_id} and endpoint_uid = ${endpoint_uid} and id = (
    select id from webhook_delivery
    where user_id = ${user_id} and endpoint_uid = ${endpoint_uid} and item_uid = ${item_uid} and state = 'pending'
    order by id
    limit 1
  )
  for update skip locked
) next
where delivery.user_id = ${user_id} and delivery.endpoint_uid = ${endpoint_uid} and delivery.id = next.id
  and delivery.state = 'pending' and delivery.attempts = 0 and delivery.next_attempt_at > now()
