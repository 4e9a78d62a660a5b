-- Ends a browser session and the bearer token that it depends on.
delete from bearer_token token
using connect_session session
where session.session_hash = ${session_hash}
  and token.user_id = session.user_id and token.token_hash = session.token_hash
