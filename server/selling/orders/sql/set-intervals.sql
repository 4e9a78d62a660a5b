-- Sets the planned intervals. A shop that would wait longer than its new interval is due sooner.
update order_sync sync set
  interval_seconds = planned.seconds,
  next_read_at = least(sync.next_read_at, now() + planned.seconds * interval '1 second')
from jsonb_to_recordset(${intervals}::jsonb) as planned (user_id integer, seller_account_uid text, seconds integer)
where sync.user_id = planned.user_id and sync.seller_account_uid = planned.seller_account_uid
  and sync.interval_seconds <> planned.seconds
