-- Marks a shop whose grant the platform rejects, if that grant is still the current one. Deletes a grant that is gone.
update seller_account set
  status = 'reconnect_required',
  encrypted_access_token = case when ${grant_gone} then null else encrypted_access_token end,
  encrypted_refresh_token = case when ${grant_gone} then null else encrypted_refresh_token end,
  last_checked_at = now()
where user_id = ${user_id} and uid = ${seller_account_uid} and token_epoch = ${token_epoch}
  and (status = 'connected' or status = 'reconnect_required' and ${grant_gone} and encrypted_refresh_token is not null)
returning uid
