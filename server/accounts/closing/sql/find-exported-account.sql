-- Returns an account as its owner or the support may see it.
select id, username, email, email_verified, phone_number, phone_verified, first_name, last_name, state, created_at,
  deactivated_at, erased_at
from app_user
where id = ${user_id}
