-- The platform does not answer: the next check is due in a quarter of an hour.
update seller_account set last_checked_at = now() - interval '1 day' + interval '15 minutes'
where user_id = ${user_id} and uid = ${seller_account_uid} and status = 'connected'
