-- Uses a state up: once, in time, by the browser that began, at the platform's own callback, for an active account.
update oauth_state state set used_at = now()
from app_user
where state.state_hash = ${state_hash} and state.platform = ${platform} and state.browser_hash = ${browser_hash}
  and state.used_at is null and state.expires_at > now()
  and app_user.id = state.user_id and app_user.state = 'active'
returning state.user_id, state.encrypted_code_verifier, coalesce(app_user.email, app_user.username) as account_name
