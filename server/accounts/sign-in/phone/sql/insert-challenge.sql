-- Inserts a code that is being sent to a phone number, as HMAC.
insert into phone_challenge
  (token_hash, purpose, phone_number, code_mac, email, password_hash, first_name, last_name, expires_at)
values (${token_hash}, ${purpose}, ${phone_number}, ${code_mac}, ${email}, ${password_hash}, ${first_name}, ${last_name},
  now() + ${expires_in} * interval '1 second')
returning expires_at
