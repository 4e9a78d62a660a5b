-- Removes the seller's identity and every token from a shop. The row stays for what refers to it, and says what is
-- left to erase.
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
