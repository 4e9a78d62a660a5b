-- Extends the lease of a reader. No row if another has taken over.
update order_sync set lease_until = now() + ${lease_seconds} * interval '1 second'
where user_id = ${user_id} and seller_account_uid = ${seller_account_uid} and lease_epoch = ${lease_epoch}
  and lease_until is not null
