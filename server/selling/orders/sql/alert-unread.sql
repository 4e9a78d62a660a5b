-- Alerts about shops whose orders are unread for minutes longer than planned. A shop that must be reconnected has an
-- alert of its own.
insert into alert (user_id, uid, kind, platform, reference, message, data)
select sync.user_id, 'alm_' || substr(replace(gen_random_uuid()::text, '-', ''), 1, 22), 'orders_unread', sync.platform,
  sync.seller_account_uid,
  'The orders of ' || account.external_name || ' have not been read since '
    || to_char(coalesce(sync.last_success_at, sync.created_at) at time zone 'utc', 'YYYY-MM-DD HH24:MI') || ' UTC.',
  jsonb_build_object('seller_account_uid', sync.seller_account_uid, 'error', sync.error_message)
from order_sync sync
join seller_account account on account.user_id = sync.user_id and account.uid = sync.seller_account_uid
where account.status = 'connected' and sync.platform = any(${platforms})
  and coalesce(sync.last_success_at, sync.created_at)
    < now() - (sync.interval_seconds + ${alert_after_seconds}) * interval '1 second'
on conflict do nothing
