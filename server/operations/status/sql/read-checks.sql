-- Returns for each platform how long ago the orders of its connected shops were read.
select sync.platform, count(*)::integer as shops,
  extract(epoch from now() - max(sync.last_success_at))::float as newest,
  extract(epoch from now() - min(coalesce(sync.last_success_at, sync.created_at)))::float as oldest,
  (count(*) filter (
    where coalesce(sync.last_success_at, sync.created_at)
      < now() - (sync.interval_seconds + ${alert_after_seconds}) * interval '1 second'
  ))::integer as overdue,
  (count(*) filter (where sync.interval_seconds <= 60))::integer as covered,
  max(sync.interval_seconds) as slowest
from order_sync sync
join seller_account account on account.user_id = sync.user_id and account.uid = sync.seller_account_uid
where account.status = 'connected'
group by sync.platform
