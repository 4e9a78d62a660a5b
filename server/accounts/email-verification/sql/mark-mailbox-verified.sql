-- Records that the e-mail address belongs to the account's holder.
update app_user set email_verified = true where id = ${user_id}
