// Made from queries.sql by `npm run queries`. Do not edit.
import { statement } from '#server/infra/db/statement.ts'

/** Counts an attempt as failed before it is checked. */
export const beginAttempt = statement<{ kind: string; subject: Buffer; network: Buffer; max: number; window: number; first: number; longest: number }, { allowed: boolean; count: number; wait: number | null }>(
  'accounts/limits/beginAttempt',
  ['kind', 'subject', 'network', 'max', 'window', 'first', 'longest'],
  `select allowed as allowed, count as count, extract(epoch from blocked_until - statement_timestamp())::float8 as wait
from count_attempt($1, $2, $3, $4, $5, $6, $7)`,
)

/** Returns whether the account of a phone number has signed in from a network before. */
export const findKnownCaller = statement<{ phone: string; network: Buffer }, { is_known: boolean }>(
  'accounts/limits/findKnownCaller',
  ['phone', 'network'],
  `select exists (
  select from app_user join known_network known on known.user_id = app_user.id
  where app_user.phone_number = $1 and app_user.phone_verified and known.network = $2
) as is_known`,
)

/** Deletes the failures of a subject: everywhere, or of one network and of the subject as a whole. */
export const forgiveAttempts = statement<{ kinds: readonly (string | null)[]; subject: Buffer; network: Buffer | null }, void>(
  'accounts/limits/forgiveAttempts',
  ['kinds', 'subject', 'network'],
  `delete from failed_attempt
where kind = any($1) and subject = $2 and ($3::bytea is null or network in ($3, ''::bytea))`,
)

/** Returns how many seconds ago the events of a subject were, newest first. */
export const listEventAges = statement<{ kind: string; subject: Buffer }, { age: number }>(
  'accounts/limits/listEventAges',
  ['kind', 'subject'],
  `select extract(epoch from statement_timestamp() - past.at)::float8 as age
from recent_event, unnest(recent_event.times) as past (at)
where recent_event.kind = $1 and recent_event.subject = $2
order by past.at desc`,
)

/** Records an event of a subject, unless one of the limits (`maxima` within `seconds`) is reached. The row's lock keeps
 * it exact under any parallelism. */
export const recordEvent = statement<{ kind: string; subject: Buffer; longest: number; maxima: readonly (number | null)[]; seconds: readonly (number | null)[] }, { allowed: boolean; ages: number[] }>(
  'accounts/limits/recordEvent',
  ['kind', 'subject', 'longest', 'maxima', 'seconds'],
  `insert into recent_event as known (kind, subject, times, allowed, expires_at)
values ($1, $2, array[statement_timestamp()], true,
  statement_timestamp() + $3 * interval '1 second')
on conflict (kind, subject) do update set
  allowed = not exists (
    select from unnest($4::integer[], $5::float8[]) as allowed (max, seconds)
    where allowed.max <= (
      select count(*) from unnest(known.times) as past (at)
      where past.at > statement_timestamp() - allowed.seconds * interval '1 second'
    )
  ),
  times = (
    select coalesce(array_agg(past.at order by past.at), '{}') from unnest(known.times) as past (at)
    where past.at > statement_timestamp() - $3 * interval '1 second'
  ) || case when exists (
    select from unnest($4::integer[], $5::float8[]) as allowed (max, seconds)
    where allowed.max <= (
      select count(*) from unnest(known.times) as past (at)
      where past.at > statement_timestamp() - allowed.seconds * interval '1 second'
    )
  ) then '{}'::timestamptz[] else array[statement_timestamp()] end,
  expires_at = statement_timestamp() + $3 * interval '1 second'
returning allowed, (
  select coalesce(array_agg(extract(epoch from statement_timestamp() - past.at)::float8 order by past.at desc), '{}')
  from unnest(times) as past (at)
) as ages`,
)

/** Takes back attempts that were counted and then not made. Like counting, it does not wait for the disk. */
export const takeBackAttempt = statement<{ kinds: readonly (string | null)[]; subject: Buffer; network: Buffer }, void>(
  'accounts/limits/takeBackAttempt',
  ['kinds', 'subject', 'network'],
  `update failed_attempt set count = greatest(count - 1, 0), blocked_until = null
from set_config('synchronous_commit', 'off', true)
where kind = any($1) and subject = $2 and network in ($3, ''::bytea)`,
)
