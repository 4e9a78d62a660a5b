-- From now on only the owner of the mailbox has a way into the account; the first time counts.
update app_user set secured_at = coalesce(secured_at, now()) where id = ${user_id}
