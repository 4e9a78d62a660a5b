-- Makes the next check due in a quarter of an hour, because the platform did not answer.
update seller_account set last_checked_at = now() - interval '1 day' + interval '15 minutes'
where user_id = ${user_id} and uid = ${seller_account_uid} and status = 'connected'
