// Made from queries.sql by `npm run queries`. Do not edit.
import { statement } from '#server/infra/db/statement.ts'

/** Stores the response of a call, unless the caller has lost its lease. */
export const answerIdempotentCall = statement<{ status: number; reply: unknown; user_id: number; key: string; lease: string }, void>(
  'http/idempotency/answerIdempotentCall',
  ['status', 'reply', 'user_id', 'key', 'lease'],
  `update idempotent_call set status = $1, reply = $2::jsonb, lease = null, leased_until = null
where user_id = $3 and key = $4 and lease = $5`,
)

/** Returns the first use of an Idempotency-Key. */
export const findIdempotentCall = statement<{ user_id: number; key: string }, { request_hash: Buffer; status: number | null; reply: unknown }>(
  'http/idempotency/findIdempotentCall',
  ['user_id', 'key'],
  `select request_hash, status, reply from idempotent_call where user_id = $1 and key = $2`,
)

/** Releases the key of a failed call, which changed nothing, for another attempt. Waits for a response in progress. */
export const releaseIdempotentCall = statement<{ user_id: number; key: string; lease: string }, void>(
  'http/idempotency/releaseIdempotentCall',
  ['user_id', 'key', 'lease'],
  `delete from idempotent_call where user_id = $1 and key = $2 and lease = $3`,
)

/** Releases unanswered calls of a dead process, whose work was rolled back. Waits for a response in progress and keeps
 * that call. */
export const releaseUnansweredCalls = statement<object, void>(
  'http/idempotency/releaseUnansweredCalls',
  [],
  `delete from idempotent_call where status is null`,
)

/** Claims a call for :lease_seconds. No row if it is running or was answered. Takes over a call whose process died
 * before the response, and one that is older than a day. */
export const takeIdempotentCall = statement<{ user_id: number; key: string; request_hash: Buffer; lease: string; lease_seconds: number }, { lease: string | null }>(
  'http/idempotency/takeIdempotentCall',
  ['user_id', 'key', 'request_hash', 'lease', 'lease_seconds'],
  `insert into idempotent_call as known (user_id, key, request_hash, lease, leased_until)
values ($1, $2, $3, $4, now() + $5 * interval '1 second')
on conflict (user_id, key) do update set
  request_hash = excluded.request_hash, lease = excluded.lease, leased_until = excluded.leased_until,
  status = null, reply = null, created_at = excluded.created_at
where excluded.created_at - known.created_at > interval '24 hours'
  or (known.status is null and known.leased_until < excluded.created_at and known.request_hash = excluded.request_hash)
returning lease`,
)
