-- Who the seller is there, and every token, is gone; the row stays for what refers to it, and says what is still to go.
update seller_account set
  status = 'revoked',
  external_id = 'erased-' || uid,
  external_name = 'erased',
  url = ${platform_url},
  encrypted_access_token = null,
  encrypted_refresh_token = null,
  access_expires_at = null,
  refresh_expires_at = null,
  last_seen_at = null,
  token_epoch = token_epoch + 1,
  erasing_for = ${message_id}
where user_id = ${user_id} and uid = ${seller_account_uid}
