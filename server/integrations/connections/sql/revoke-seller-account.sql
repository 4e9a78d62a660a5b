-- Disconnects a shop: its tokens are destroyed, the row stays for what was imported from it.
update seller_account set
  status = 'revoked',
  sealed_access_token = null,
  sealed_refresh_token = null,
  access_expires_at = null,
  refresh_expires_at = null,
  token_epoch = token_epoch + 1
where user_id = ${user_id} and uid = ${seller_account_uid}
