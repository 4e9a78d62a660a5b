-- Inserts a browser session of a quarter of an hour that depends on a bearer token. Removes ended sessions and their
-- tokens.
with swept as (
  delete from bearer_token token
  using connect_session session
  where session.user_id = ${user_id} and session.expires_at < now()
    and token.user_id = session.user_id and token.token_hash = session.token_hash
)
insert into connect_session (user_id, session_hash, token_hash, expires_at)
values (${user_id}, ${session_hash}, ${token_hash}, now() + interval '15 minutes')
