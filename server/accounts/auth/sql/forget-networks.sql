-- Forgets from where an account was entered: a stranger's network must not count as the owner's.
delete from known_network where user_id = ${user_id}
