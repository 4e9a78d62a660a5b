-- An active account.
select id, username, email, email_verified, phone_number, phone_verified, first_name, last_name, password_hash
from app_user
where id = ${user_id} and state = 'active'
