-- Removes a notification whose push service has answered. `delivered`: it took the notification.
with answered as (
  update web_push_subscription set failures = 0, failing_since = null, paused_until = null,
    last_delivered_at = case when ${delivered} then now() else last_delivered_at end
  where user_id = ${user_id} and endpoint_hash = ${endpoint_hash}
)
delete from web_push_notice where user_id = ${user_id} and endpoint_hash = ${endpoint_hash} and id = ${id}
