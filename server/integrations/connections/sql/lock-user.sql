-- Locks an active account, so that decisions about its shops do not run concurrently.
select id from app_user where id = ${user_id} and state = 'active' for no key update
