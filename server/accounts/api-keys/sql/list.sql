-- Returns a user's live keys, newest first.
select id, name, prefix, last4, scopes, created_at, last_used_at, expires_at
from api_key
where user_id = ${user_id} and (expires_at is null or expires_at > now())
order by created_at desc, id
