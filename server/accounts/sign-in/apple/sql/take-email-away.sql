-- Takes the address, and the password that goes with it, from an account that never verified it.
update app_user set email = null, password_hash = null where id = ${user_id} and not email_verified
