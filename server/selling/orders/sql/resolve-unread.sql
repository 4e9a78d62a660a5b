-- Resolves alerts of shops that were read again, or are no longer read.
update alert set state = 'resolved', finished_at = now()
where kind = 'orders_unread' and state = 'open' and not exists (
  select from order_sync sync
  join seller_account account on account.user_id = sync.user_id and account.uid = sync.seller_account_uid
  where sync.user_id = alert.user_id and sync.seller_account_uid = alert.reference and account.status = 'connected'
    and coalesce(sync.last_success_at, sync.created_at) < alert.created_at
)
