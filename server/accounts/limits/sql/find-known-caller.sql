-- Returns whether the account of a phone number has signed in from a network before.
select exists (
  select from app_user join known_network known on known.user_id = app_user.id
  where app_user.phone_number = ${phone} and app_user.phone_verified and known.network = ${network}
) as is_known
