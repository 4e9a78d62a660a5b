-- Removes the phone number from an account: its former holder could sign in with it.
update app_user set phone_number = null, phone_verified = false where id = ${user_id}
