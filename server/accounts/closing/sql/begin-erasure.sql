-- Removes everything that names a person from a closed account. The remaining row only says when the account existed.
update app_user set
  erasing_since = coalesce(erasing_since, now()), username = 'erased-' || id, email = null, email_verified = false,
  phone_number = null, phone_verified = false, first_name = '', last_name = '', password_hash = null, secured_at = null
where id = ${user_id}
