-- Records the last use of keys. Updates only, so that a key that was deleted meanwhile does not return.
update api_key key
set last_used_at = greatest(key.last_used_at, given.at)
from unnest(${user_ids}::integer[], ${key_ids}::text[], ${times}::timestamptz[]) as given (user_id, key_id, at)
where key.user_id = given.user_id and key.id = given.key_id
