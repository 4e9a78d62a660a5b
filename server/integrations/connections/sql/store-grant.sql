-- Stores a renewed grant, unless a newer one is stored or the shop was disconnected.
update seller_account set
  encrypted_access_token = ${encrypted_access_token},
  encrypted_refresh_token = coalesce(${encrypted_refresh_token}, encrypted_refresh_token),
  access_expires_at = now() + ${access_seconds} * interval '1 second',
  refresh_expires_at = coalesce(now() + ${refresh_seconds} * interval '1 second', refresh_expires_at),
  token_epoch = token_epoch + 1,
  status = ${status},
  last_checked_at = now()
where user_id = ${user_id} and uid = ${seller_account_uid} and token_epoch = ${token_epoch} and status <> 'revoked'
returning token_epoch
