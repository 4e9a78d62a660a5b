-- Returns a user's live sessions, last used first, up to a thousand.
select uid, method, address as network, user_agent, created_at, last_used_at,
  token_hash = ${token_hash} as is_current
from bearer_token
where user_id = ${user_id}
  and created_at > now() - ${absolute} * interval '1 second'
  and coalesce(last_used_at, created_at) > now() - ${idle} * interval '1 second'
order by coalesce(last_used_at, created_at) desc, uid
limit 1000
