-- From now on the address is known to belong to the holder.
update app_user set email_verified = true where id = ${user_id}
