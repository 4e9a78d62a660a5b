-- When bearer tokens were last used, written every five minutes at most. Only ever an update: a token that ended meanwhile
-- does not come back.
update bearer_token token
set last_used_at = greatest(token.last_used_at, given.at)
from unnest(${user_ids}::integer[], ${hashes}::bytea[], ${times}::timestamptz[]) as given (user_id, hash, at)
where token.user_id = given.user_id and token.token_hash = given.hash
  and coalesce(token.last_used_at < given.at - interval '5 minutes', true)
