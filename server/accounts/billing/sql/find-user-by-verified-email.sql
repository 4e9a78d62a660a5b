-- The active user with this e-mail address, if it is proven to be theirs.
select id as user_id from app_user where email = lower(${email}) and email_verified and state = 'active'
