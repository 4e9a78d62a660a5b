-- name: deleteMailboxTokens
-- Deletes the links that were mailed to a user, of one purpose or of all.
delete from mailbox_token where user_id = :user_id and (:purpose?::text is null or purpose = :purpose)

-- name: findMailboxToken
-- Returns the token of a link with its account, and whether it is valid: unused, in time, of an active account that
-- still has the address.
select token.user_id, token.email, app_user.email_verified,
  app_user.secured_at is not null as "is_secured!", app_user.password_hash is not null as "has_password!", (
  token.used_at is null and token.expires_at > now()
  and app_user.state = 'active' and app_user.email = token.email
) as "live!"
from mailbox_token token
join app_user on app_user.id = token.user_id
where token.token_hash = :token_hash and token.purpose = :purpose

-- name: insertMailboxToken
-- Inserts a link's token, bound to the address that it is sent to.
insert into mailbox_token (user_id, token_hash, purpose, email, expires_at)
values (:user_id, :token_hash, :purpose, :email, now() + :expires_in * interval '1 second')

-- name: markMailboxVerified
-- Records that the e-mail address belongs to the account's holder.
update app_user set email_verified = true where id = :user_id

-- name: useMailboxToken
-- Uses a link's token up. Only one of several concurrent requests gets the row.
update mailbox_token set used_at = now()
where user_id = :user_id and token_hash = :token_hash and used_at is null and expires_at > now()
returning user_id, email
