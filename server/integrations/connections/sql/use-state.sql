-- Consumes a state once, before it expires, for the browser that started, at the platform's callback, while the account
-- is active.
update oauth_state state set used_at = now()
from app_user
where state.state_hash = ${state_hash} and state.platform = ${platform} and state.browser_hash = ${browser_hash}
  and state.used_at is null and state.expires_at > now()
  and app_user.id = state.user_id and app_user.state = 'active'
returning state.user_id, state.encrypted_code_verifier, coalesce(app_user.email, app_user.username) as account_name
