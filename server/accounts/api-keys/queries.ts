// Made from queries.sql by `npm run queries`. Do not edit.
import { statement } from '#server/infra/db/statement.ts'
import type { ApiKey } from '#shared/contract/account/api-keys.ts'

/** Returns the number of a user's live keys. */
export const count = statement<{ user_id: number }, { count: number }>(
  'accounts/api-keys/count',
  ['user_id'],
  `select count(*)::integer as count
from api_key
where user_id = $1 and (expires_at is null or expires_at > now())`,
)

/** Deletes a key of its own user. */
export const deleteKey = statement<{ user_id: number; id: string }, void>(
  'accounts/api-keys/deleteKey',
  ['user_id', 'id'],
  `delete from api_key where user_id = $1 and id = $2`,
)

/** Returns a key of its own user, expired or not. */
export const get = statement<{ user_id: number; id: string }, { id: string; name: string; prefix: string; last4: string; scopes: ApiKey['scopes']; created_at: string; last_used_at: string | null; expires_at: string | null }>(
  'accounts/api-keys/get',
  ['user_id', 'id'],
  `select id, name, prefix, last4, scopes, created_at, last_used_at, expires_at
from api_key
where user_id = $1 and id = $2`,
)

/** Inserts a key. */
export const insert = statement<{ user_id: number; id: string; name: string; key_hash: Buffer; prefix: string; last4: string; scopes: readonly (string | null)[]; expires_at: string | Date | null }, { id: string; name: string; prefix: string; last4: string; scopes: ApiKey['scopes']; created_at: string; last_used_at: string | null; expires_at: string | null }>(
  'accounts/api-keys/insert',
  ['user_id', 'id', 'name', 'key_hash', 'prefix', 'last4', 'scopes', 'expires_at'],
  `insert into api_key (user_id, id, name, key_hash, prefix, last4, scopes, expires_at)
values ($1, $2, $3, $4, $5, $6, $7, $8)
returning id, name, prefix, last4, scopes, created_at, last_used_at, expires_at`,
)

/** Returns a user's live keys, newest first. */
export const list = statement<{ user_id: number }, { id: string; name: string; prefix: string; last4: string; scopes: ApiKey['scopes']; created_at: string; last_used_at: string | null; expires_at: string | null }>(
  'accounts/api-keys/list',
  ['user_id'],
  `select id, name, prefix, last4, scopes, created_at, last_used_at, expires_at
from api_key
where user_id = $1 and (expires_at is null or expires_at > now())
order by created_at desc, id`,
)

/** Returns the calls of a user's keys within a range of days. */
export const readUsage = statement<{ user_id: number; from: string; to: string }, { key_id: string; name: string; day: string; count: number; errors: number }>(
  'accounts/api-keys/readUsage',
  ['user_id', 'from', 'to'],
  `select key_id, name, day, count, errors
from api_usage
where user_id = $1 and day between $2::date and $3::date
order by key_id, day`,
)

/** Gives a live key a new value. The row's lock orders rotations, and the last one to commit stays. */
export const rotate = statement<{ key_hash: Buffer; last4: string; user_id: number; id: string }, { id: string; name: string; prefix: string; last4: string; scopes: ApiKey['scopes']; created_at: string; last_used_at: string | null; expires_at: string | null }>(
  'accounts/api-keys/rotate',
  ['key_hash', 'last4', 'user_id', 'id'],
  `update api_key set key_hash = $1, last4 = $2
where user_id = $3 and id = $4 and (expires_at is null or expires_at > now())
returning id, name, prefix, last4, scopes, created_at, last_used_at, expires_at`,
)
