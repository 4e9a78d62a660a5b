-- A bearer token for an active account, and where a password was checked, only while it is still that password: a
-- token must not outlive the change that ends all tokens. The lock makes either side see the other.
insert into bearer_token (user_id, token_hash)
select id, ${token_hash} from (
  select id from app_user
  where id = ${user_id} and state = 'active'
    and (${password_hash}::text is null or password_hash = ${password_hash})
  for share
) holder
returning user_id
