-- What an account is known by.
select email, username from app_user where id = ${user_id}
