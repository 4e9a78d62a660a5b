-- Readings that fell due while nobody read are spread, oldest first: two a second, or as fast as one interval holds all.
with due as (
  select user_id, seller_account_uid,
    row_number() over (partition by platform order by next_read_at, seller_account_uid) - 1 as place,
    count(*) over (partition by platform) as total
  from order_sync
  where next_read_at < now()
)
update order_sync sync set next_read_at = now() + least(0.5, ${fastest_seconds}::float8 / due.total) * due.place * interval '1 second'
from due
where sync.user_id = due.user_id and sync.seller_account_uid = due.seller_account_uid and due.place > 0
