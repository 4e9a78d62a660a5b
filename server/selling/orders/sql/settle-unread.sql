-- Shops that were read again, or are not read any more.
update alarm set state = 'resolved', finished_at = now()
where kind = 'orders_unread' and state = 'open' and not exists (
  select from order_sync sync
  join seller_account account on account.user_id = sync.user_id and account.uid = sync.seller_account_uid
  where sync.user_id = alarm.user_id and sync.seller_account_uid = alarm.reference and account.status <> 'revoked'
    and coalesce(sync.last_success_at, sync.created_at) < alarm.created_at
)
