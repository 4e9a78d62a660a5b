-- How many live keys a user has.
select count(*)::integer as count
from api_key
where user_id = ${user_id} and (expires_at is null or expires_at > now())
