-- Deletes the known networks of an account: a stranger's network must not count as the owner's.
delete from known_network where user_id = ${user_id}
