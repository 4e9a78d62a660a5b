-- Uses a link's token up. Only one of several concurrent requests gets the row.
update mailbox_token set used_at = now()
where user_id = ${user_id} and token_hash = ${token_hash} and used_at is null and expires_at > now()
returning user_id, email
