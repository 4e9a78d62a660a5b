-- Marks a connection as connected again, if the grant that was just tried is still the current one.
update seller_account set status = 'connected'
where user_id = ${user_id} and uid = ${seller_account_uid} and token_epoch = ${token_epoch}
  and status = 'reconnect_required'
returning uid
