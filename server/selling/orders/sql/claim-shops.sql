-- Claims connected shops whose orders are due to be read, under a lease. The longest waiting shops come first.
with due as (
  select sync.user_id, sync.seller_account_uid
  from order_sync sync
  join seller_account account on account.user_id = sync.user_id and account.uid = sync.seller_account_uid
  where sync.next_read_at <= now() and (sync.lease_until is null or sync.lease_until < now())
    and account.status = 'connected' and sync.platform = any(${platforms})
  order by sync.next_read_at
  limit ${count}
  for update of sync skip locked
)
update order_sync sync set
  lease_epoch = sync.lease_epoch + 1,
  lease_until = now() + ${lease_seconds} * interval '1 second'
from due
where sync.user_id = due.user_id and sync.seller_account_uid = due.seller_account_uid
returning sync.user_id, sync.seller_account_uid, sync.platform, sync.lease_epoch, sync.failures, sync.interval_seconds,
  now() as started_at,
  coalesce(sync.overlap_read_at < now() - ${overlap_every_seconds} * interval '1 second', true) as is_full,
  -- A short reading overlaps the last one a little, a full one by far more.
  coalesce(sync.read_until, now()) - ${short_seconds} * interval '1 second' as short_since,
  coalesce(least(sync.overlap_read_at, sync.read_until), now()) - ${overlap_seconds} * interval '1 second' as full_since
