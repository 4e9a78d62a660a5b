-- Disconnects a shop and deletes its tokens. The row stays for its imported listings.
update seller_account set
  status = 'revoked',
  encrypted_access_token = null,
  encrypted_refresh_token = null,
  access_expires_at = null,
  refresh_expires_at = null,
  token_epoch = token_epoch + 1
where user_id = ${user_id} and uid = ${seller_account_uid}
