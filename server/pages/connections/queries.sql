-- name: findName
-- Returns the email address and user name of an account.
select email, username from app_user where id = :user_id
