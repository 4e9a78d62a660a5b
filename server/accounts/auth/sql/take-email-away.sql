-- An account that never proved its address loses it, and the password that goes with it.
update app_user set email = null, password_hash = null where id = ${user_id} and not email_verified
