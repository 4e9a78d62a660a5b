-- The next event of an item takes its place in the line again, once the one before it is no longer on its way. Never tried
-- so far: one that has been waits for its own time. One that a replay holds is not waited for: it is put into the line anew.
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
