-- Records the last use of bearer tokens, every five minutes at most. Updates only, so that an ended token does not
-- return. Never records a time before the token's creation: a slow clock would expire a new session.
update bearer_token token
set last_used_at = greatest(token.last_used_at, token.created_at, given.at)
from unnest(${user_ids}::integer[], ${hashes}::bytea[], ${times}::timestamptz[]) as given (user_id, hash, at)
where token.user_id = given.user_id and token.token_hash = given.hash
  and coalesce(token.last_used_at < given.at - interval '5 minutes', true)
