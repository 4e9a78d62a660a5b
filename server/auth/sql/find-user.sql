-- The holder of a credential, while active.
select id, username, email from app_user where id = ${user_id} and state = 'active'
