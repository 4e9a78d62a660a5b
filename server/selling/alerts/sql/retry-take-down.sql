-- Makes the take-down that an open alert waits for due now. A second press within ten seconds changes nothing, even if the
-- first one's attempt has failed already. Returns the alert of its own user, of any kind.
with found as (
  select user_id, uid, kind, state, item_uid, data
  from alert
  where user_id = ${user_id} and uid = ${uid}
  for update
), pressed as (
  update alert set data = alert.data || jsonb_build_object('retried_at', now())
  from found
  where alert.user_id = found.user_id and alert.uid = found.uid and found.kind = 'delist_overdue' and found.state = 'open'
    and coalesce((found.data ->> 'retried_at')::timestamptz < now() - interval '10 seconds', true)
  returning found.*
), woken as (
  update listing_operation operation set next_attempt_at = least(next_attempt_at, now())
  from pressed
  where operation.user_id = pressed.user_id and operation.id = (pressed.data ->> 'operation_id')::uuid
    and operation.state = 'open'
)
select kind, state, item_uid from found
