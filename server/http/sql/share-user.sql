-- Returns an active account and takes a shared lock on it until the transaction ends.
select id from app_user
where id = ${user_id} and state = 'active'
for share
