-- Writes when bearer tokens were last used, every five minutes at most. Only ever an update: a token that ended meanwhile
-- does not come back. Never before the token was made: by a server whose clock is slow, a new session would have expired.
update bearer_token token
set last_used_at = greatest(token.last_used_at, token.created_at, given.at)
from unnest(${user_ids}::integer[], ${hashes}::bytea[], ${times}::timestamptz[]) as given (user_id, hash, at)
where token.user_id = given.user_id and token.token_hash = given.hash
  and coalesce(token.last_used_at < given.at - interval '5 minutes', true)
