-- Dismisses an open alert of its own user. A listing that is still live is tried again at once: the seller may have ended
-- it by hand.
with found as (
  select user_id, uid, kind, state, data
  from alert
  where user_id = ${user_id} and uid = ${uid}
  for update
), dismissed as (
  update alert set state = 'dismissed', finished_at = now()
  from found
  where alert.user_id = found.user_id and alert.uid = found.uid and found.state = 'open'
  returning found.*
), woken as (
  update listing_operation operation set next_attempt_at = least(next_attempt_at, now())
  from dismissed
  where dismissed.kind = 'delist_overdue' and operation.user_id = dismissed.user_id
    and operation.id = (dismissed.data ->> 'operation_id')::uuid and operation.state = 'open'
)
select case when state = 'open' then 'dismissed' else state end as state from found
