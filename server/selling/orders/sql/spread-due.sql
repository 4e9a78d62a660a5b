-- Spreads readings that fell due while no worker ran, oldest first: two a second, or as fast as one interval holds
-- all.
with due as (
  select sync.user_id, sync.seller_account_uid,
    row_number() over (partition by sync.platform order by sync.next_read_at, sync.seller_account_uid) - 1 as place,
    count(*) over (partition by sync.platform) as total
  from order_sync sync
  join seller_account account on account.user_id = sync.user_id and account.uid = sync.seller_account_uid
  where sync.next_read_at < now() and account.status = 'connected'
)
update order_sync sync set next_read_at = now() + least(0.5, ${fastest_seconds}::float8 / due.total) * due.place * interval '1 second'
from due
where sync.user_id = due.user_id and sync.seller_account_uid = due.seller_account_uid and due.place > 0
