-- Inserts a passkey challenge that is valid for ${seconds} s.
insert into passkey_challenge (token_hash, user_id, purpose, challenge, expires_at)
values (${token_hash}, ${user_id}, ${purpose}, ${challenge}, now() + ${seconds} * interval '1 second')
returning expires_at
