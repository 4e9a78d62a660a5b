-- Inserts an account. No row if the username is taken (another is then tried). A taken e-mail address or phone number
-- raises an error. An address that is verified from the start belongs to the account's maker, so nobody else has a way
-- in.
insert into app_user (username, email, email_verified, phone_number, phone_verified, first_name, last_name, password_hash,
  secured_at)
values (${username}, ${email}, ${email_verified}, ${phone_number}, ${phone_verified}, ${first_name}, ${last_name},
  ${password_hash}, case when ${email_verified} then now() end)
on conflict (username) do nothing
returning id, username, email, phone_verified, email_verified
