-- Returns the number of a user's live keys.
select count(*)::integer as count
from api_key
where user_id = ${user_id} and (expires_at is null or expires_at > now())
