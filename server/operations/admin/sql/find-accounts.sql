-- Returns accounts by id, e-mail address or phone number, whatever their state.
select id, username, email, email_verified, phone_number, phone_verified, state, created_at, deactivated_at, erasing_since,
  erased_at, deactivated_at + ${kept_days} * interval '1 day' as erased_from
from app_user
where id = ${id} or email = ${email} or phone_number = ${phone}
order by id
