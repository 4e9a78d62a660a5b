-- A new account; no row when the username is taken (another is then tried). A taken e-mail or phone number raises.
insert into app_user (username, email, email_verified, phone_number, phone_verified, first_name, last_name, password_hash)
values (${username}, ${email}, ${email_verified}, ${phone_number}, ${phone_verified}, ${first_name}, ${last_name},
  ${password_hash})
on conflict (username) do nothing
returning id, username, email, phone_verified, email_verified
