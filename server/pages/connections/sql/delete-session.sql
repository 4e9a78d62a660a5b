-- Ends a browser session with the bearer token that it stands on.
delete from bearer_token token
using connect_session session
where session.session_hash = ${session_hash}
  and token.user_id = session.user_id and token.token_hash = session.token_hash
