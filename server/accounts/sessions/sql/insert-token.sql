-- Inserts a bearer token for an active account. The lock makes the account's end see the token, or the token its end.
-- `verified_at`: when its holder last proved their identity; null for now.
insert into bearer_token (user_id, token_hash, method, address, user_agent, created_at, verified_at)
select id, ${token_hash}, ${method}, ${address}, ${user_agent}, now(), coalesce(${verified_at}::timestamptz, now()) from (
  select id from app_user
  where id = ${user_id} and state = 'active'
  for share
) holder
returning user_id
