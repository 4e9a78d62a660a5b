// Made from queries.sql by `npm run queries`. Do not edit.
import { statement } from '#server/infra/db/statement.ts'

/** Moves limited events back with the clock, as watch-clock.ts moves waits. */
export const moveEventsBack = statement<{ back_seconds: number }, void>(
  'operations/clock/moveEventsBack',
  ['back_seconds'],
  `update recent_event set times = array(
  select case when at > now() + interval '1 minute' then at - $1 * interval '1 second' else at end
  from unnest(times) at
)
where now() + interval '1 minute' < any(times)`,
)

/** Reads the database's clock and returns by how many seconds it has gone back since it was read last. */
export const readClock = statement<object, { back_seconds: number }>(
  'operations/clock/readClock',
  [],
  `update clock_reading reading set at = clock_timestamp()
from (select id, at from clock_reading for update) last
where reading.id = last.id
returning extract(epoch from last.at - reading.at)::float8 as back_seconds`,
)

/** Makes all orders of the last weeks due to be read again. A clock that was ahead asked for no order that changed meanwhile. */
export const readOrdersAgain = statement<object, void>(
  'operations/clock/readOrdersAgain',
  [],
  `update order_sync set read_again_at = now(), all_read_again_at = '-infinity'`,
)
