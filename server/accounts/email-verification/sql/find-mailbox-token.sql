-- Returns the token of a link with its account, and whether it is valid: unused, in time, of an active account that
-- still has the address.
select token.user_id, token.email, app_user.email_verified,
  app_user.secured_at is not null as is_secured, app_user.password_hash is not null as has_password, (
  token.used_at is null and token.expires_at > now()
  and app_user.state = 'active' and app_user.email = token.email
) as live
from mailbox_token token
join app_user on app_user.id = token.user_id
where token.token_hash = ${token_hash} and token.purpose = ${purpose}
