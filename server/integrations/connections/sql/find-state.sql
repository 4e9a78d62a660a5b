-- Returns whether this browser can use a state at this platform's callback (use-state.sql).
select true as is_open
from oauth_state state
join app_user on app_user.id = state.user_id
where state.state_hash = ${state_hash} and state.platform = ${platform} and state.browser_hash = ${browser_hash}
  and state.used_at is null and state.expires_at > now() and app_user.state = 'active'
