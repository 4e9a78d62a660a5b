-- Inserts a link's token, bound to the address that it is sent to.
insert into mailbox_token (user_id, token_hash, purpose, email, expires_at)
values (${user_id}, ${token_hash}, ${purpose}, ${email}, now() + ${expires_in} * interval '1 second')
