-- Returns an active account.
select id, username, email, email_verified, phone_number, phone_verified, first_name, last_name, password_hash,
  secured_at is not null as is_secured
from app_user
where id = ${user_id} and state = 'active'
