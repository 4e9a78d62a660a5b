-- Returns the active user with this verified e-mail address.
select id as user_id from app_user where email = lower(${email}) and email_verified and state = 'active'
