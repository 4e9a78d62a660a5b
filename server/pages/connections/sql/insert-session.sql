-- Inserts a browser session of a quarter of an hour that depends on a bearer token. Removes ended sessions, and the tokens
-- that served nothing else.
with swept as (
  delete from bearer_token token
  using connect_session session
  where session.user_id = ${user_id} and session.expires_at < now() and session.ends_token
    and token.user_id = session.user_id and token.token_hash = session.token_hash
), ended as (
  delete from connect_session where user_id = ${user_id} and expires_at < now() and not ends_token
)
insert into connect_session (user_id, session_hash, token_hash, expires_at, ends_token)
values (${user_id}, ${session_hash}, ${token_hash}, now() + interval '15 minutes', ${ends_token})
