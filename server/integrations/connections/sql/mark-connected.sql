-- A connection that was waiting for its seller works after all, with the grant that was just tried.
update seller_account set status = 'connected'
where user_id = ${user_id} and uid = ${seller_account_uid} and token_epoch = ${token_epoch}
  and status = 'reconnect_required'
returning uid
