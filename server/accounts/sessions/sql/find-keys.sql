-- Finds the holders of API keys by the SHA-256 of each key: unexpired keys of active accounts.
select key.key_hash as hash, key.user_id, key.id as key_id, key.name as key_name, key.scopes, app_user.username, app_user.email
from api_key key
join app_user on app_user.id = key.user_id
where key.key_hash = any(${hashes}::bytea[]) and app_user.state = 'active'
  and (key.expires_at is null or key.expires_at > now())
