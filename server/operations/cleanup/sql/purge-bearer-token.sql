-- Removes sessions that have ended by their lifetimes, and those behind a browser session of the pages that has ended.
delete from bearer_token where ctid = any(array(
  select ctid from bearer_token token
  where created_at < now() - ${absolute} * interval '1 second'
    or coalesce(last_used_at, created_at) < now() - ${idle} * interval '1 second'
    or exists (
      select from connect_session session
      where session.user_id = token.user_id and session.token_hash = token.token_hash and session.expires_at < now()
    )
  limit ${limit} for update skip locked
))
