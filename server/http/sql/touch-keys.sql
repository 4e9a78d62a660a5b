-- When keys were last used. Only ever an update: a key that was deleted meanwhile does not come back.
update api_key key
set last_used_at = greatest(key.last_used_at, given.at)
from unnest(${user_ids}::integer[], ${key_ids}::text[], ${times}::timestamptz[]) as given (user_id, key_id, at)
where key.user_id = given.user_id and key.id = given.key_id
