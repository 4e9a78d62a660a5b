-- From now on the address is known to belong to the holder. Where the password is new too, a phone number set before
-- goes: whoever set it could sign in with it.
update app_user set
  email_verified = true,
  phone_number = case when ${password_is_new} then null else phone_number end,
  phone_verified = phone_verified and not ${password_is_new}
where id = ${user_id}
