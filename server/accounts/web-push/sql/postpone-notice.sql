-- Sends a notification again after some seconds, as its push service asked; never if it is of no use any more then.
with useless as (
  delete from web_push_notice
  where user_id = ${user_id} and endpoint_hash = ${endpoint_hash} and id = ${id}
    and expires_at <= now() + ${seconds} * interval '1 second'
)
update web_push_notice set next_attempt_at = now() + ${seconds} * interval '1 second', lease_until = null
where user_id = ${user_id} and endpoint_hash = ${endpoint_hash} and id = ${id}
  and expires_at > now() + ${seconds} * interval '1 second'
