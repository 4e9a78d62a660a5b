-- Records that only the owner of the mailbox has a way into the account. The first time counts.
update app_user set secured_at = coalesce(secured_at, now()) where id = ${user_id}
