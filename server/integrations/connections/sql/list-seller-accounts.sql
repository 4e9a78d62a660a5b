-- Lists all shops of an account, also disconnected ones, newest first. A shop's health comes from its last calls:
-- ending listings, reading orders, importing.
select shop.uid, shop.platform, shop.external_id, shop.external_name, shop.status, shop.connected_at, shop.last_synced_at,
  shop.sale_notices,
  json_build_object(
    'state', case
      when shop.status = 'revoked' then 'disconnected'
      when shop.status = 'reconnect_required' then 'reconnect_required'
      when failing.reason is not null then 'failing'
      when coalesce(sync.last_success_at, shop.last_synced_at) is not null then 'working'
      else 'unknown'
    end,
    'reason', case when shop.status = 'connected' then failing.reason end,
    'message', case when shop.status = 'connected' then failing.message end,
    'since', case when shop.status = 'connected' then failing.since end,
    'last_success_at', greatest(sync.last_success_at, shop.last_synced_at),
    'next_try_at', case when shop.status = 'connected' then failing.next_try_at end
  ) as health
from seller_account shop
left join order_sync sync on sync.user_id = shop.user_id and sync.seller_account_uid = shop.uid
left join lateral (
  select *
  from (
    (
      select 1 as place, 'take_down' as reason, error_message as message, created_at as since,
        next_attempt_at as next_try_at
      from listing_operation
      where user_id = shop.user_id and seller_account_uid = shop.uid and kind = 'delist' and state = 'open' and failures > 0
      order by created_at
      limit 1
    )
    union all
    select 2, 'orders', sync.error_message, coalesce(sync.last_success_at, sync.created_at), sync.next_read_at
    where sync.failures > 0
    union all
    select 3, 'imports', null, touched_at, null
    from import_job
    where user_id = shop.user_id and seller_account_uid = shop.uid and status in ('pending', 'in_progress') and failures > 0
  ) failed
  order by place
  limit 1
) failing on true
where shop.user_id = ${user_id}
order by shop.connected_at desc, shop.uid
limit 1000
