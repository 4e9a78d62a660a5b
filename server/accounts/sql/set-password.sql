-- Sets the password of an account that the transaction has locked.
update app_user set password_hash = ${password_hash} where id = ${user_id} and state = 'active'
