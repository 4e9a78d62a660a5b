-- The holder of a live API key of an active account.
select key.user_id, key.id as key_id, key.scopes
from api_key key
join app_user on app_user.id = key.user_id
where key.key_hash = ${key_hash}
  and (key.expires_at is null or key.expires_at > now())
  and app_user.state = 'active'
