-- A link's token, bound to the address it goes to.
insert into mailbox_token (user_id, token_hash, purpose, email, expires_at)
values (${user_id}, ${token_hash}, ${purpose}, ${email}, now() + ${expires_in} * interval '1 second')
