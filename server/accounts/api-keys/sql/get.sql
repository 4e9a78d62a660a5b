-- Returns a key of its own user, expired or not.
select id, name, prefix, last4, scopes, created_at, last_used_at, expires_at
from api_key
where user_id = ${user_id} and id = ${id}
