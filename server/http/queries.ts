// Made from queries.sql by `npm run queries`. Do not edit.
import { statement } from '#server/infra/db/statement.ts'

/** Adds calls to the days of their keys. Stores the key's name too, since usage outlives its key. */
export const addUsage = statement<{ user_ids: readonly (number | null)[]; key_ids: readonly (string | null)[]; names: readonly (string | null)[]; days: readonly (string | null)[]; counts: readonly (number | string | null)[]; errors: readonly (number | string | null)[] }, void>(
  'http/addUsage',
  ['user_ids', 'key_ids', 'names', 'days', 'counts', 'errors'],
  `insert into api_usage as known (user_id, key_id, day, name, count, errors)
select given.user_id, given.key_id, given.day, given.name, given.count, given.errors
from unnest(
  $1::integer[], $2::text[], $3::text[], $4::date[], $5::bigint[], $6::bigint[]
) as given (user_id, key_id, name, day, count, errors)
order by given.user_id, given.key_id, given.day
on conflict (user_id, key_id, day) do update set
  count = known.count + excluded.count,
  errors = known.errors + excluded.errors,
  name = excluded.name`,
)

/** Returns an active account and locks it until the transaction ends. */
export const lockUser = statement<{ user_id: number }, { id: number; username: string; email: string | null; email_verified: boolean; phone_number: string | null; phone_verified: boolean; first_name: string; last_name: string; password_hash: string | null; is_secured: boolean }>(
  'http/lockUser',
  ['user_id'],
  `select id, username, email, email_verified, phone_number, phone_verified, first_name, last_name, password_hash,
  secured_at is not null as is_secured
from app_user left join seller_settings shard on shard.user_id = $1
where id = $1 and state = 'active'
for no key update of app_user`,
)

/** Returns an active account and takes a shared lock on it until the transaction ends. */
export const shareUser = statement<{ user_id: number }, { id: number }>(
  'http/shareUser',
  ['user_id'],
  `select id from app_user left join seller_settings shard on shard.user_id = $1
where id = $1 and state = 'active'
for share of app_user`,
)

/** Records the last use of keys. Updates only, so that a key that was deleted meanwhile does not return. */
export const touchKeys = statement<{ user_ids: readonly (number | null)[]; key_ids: readonly (string | null)[]; times: readonly (string | Date | null)[] }, void>(
  'http/touchKeys',
  ['user_ids', 'key_ids', 'times'],
  `update api_key key
set last_used_at = greatest(key.last_used_at, given.at)
from unnest($1::integer[], $2::text[], $3::timestamptz[]) as given (user_id, key_id, at)
where key.user_id = given.user_id and key.id = given.key_id`,
)

/** Records the last use of bearer tokens, every five minutes at most. Updates only, so that an ended token does not
 * return. Never records a time before the token's creation: a slow clock would expire a new session. */
export const touchTokens = statement<{ user_ids: readonly (number | null)[]; hashes: readonly (Buffer | null)[]; times: readonly (string | Date | null)[] }, void>(
  'http/touchTokens',
  ['user_ids', 'hashes', 'times'],
  `update bearer_token token
set last_used_at = greatest(token.last_used_at, token.created_at, given.at)
from unnest($1::integer[], $2::bytea[], $3::timestamptz[]) as given (user_id, hash, at)
where token.user_id = given.user_id and token.token_hash = given.hash
  and (token.last_used_at is null or given.at - token.last_used_at > interval '5 minutes')`,
)
