-- The connected shops of an account that is being closed.
select user_id, uid as seller_account_uid, platform from seller_account
where user_id = ${user_id} and status <> 'revoked'
