-- Returns the active account of a live browser session.
select 'bearer' as kind, session.user_id, session.token_hash, coalesce(app_user.email, app_user.username) as account_name,
  app_user.email is not null and not app_user.email_verified as unconfirmed
from connect_session session
join app_user on app_user.id = session.user_id
where session.session_hash = ${session_hash} and session.expires_at > now() and app_user.state = 'active'
