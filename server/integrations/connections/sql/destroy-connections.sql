-- Ends every connection of an account and deletes its tickets and authorizations, which could restore one.
with tickets as (
  delete from connect_ticket where user_id = ${user_id}
), states as (
  delete from oauth_state where user_id = ${user_id}
)
update seller_account set
  status = 'revoked',
  encrypted_access_token = null,
  encrypted_refresh_token = null,
  access_expires_at = null,
  refresh_expires_at = null,
  token_epoch = token_epoch + 1
where user_id = ${user_id} and status <> 'revoked'
returning user_id, uid as seller_account_uid, platform, external_name
