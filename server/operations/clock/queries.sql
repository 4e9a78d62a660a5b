-- name: moveEventsBack
-- Moves limited events back with the clock, as watch-clock.ts moves waits.
update recent_event set times = array(
  select case when at > now() + interval '1 minute' then at - :back_seconds * interval '1 second' else at end
  from unnest(times) at
)
where now() + interval '1 minute' < any(times)

-- name: readClock
-- Reads the database's clock and returns by how many seconds it has gone back since it was read last.
update clock_reading reading set at = clock_timestamp()
from (select id, at from clock_reading for update) last
where reading.id = last.id
returning extract(epoch from last.at - reading.at)::float8 as "back_seconds!"

-- name: readOrdersAgain
-- Makes all orders of the last weeks due to be read again. A clock that was ahead asked for no order that changed meanwhile.
update order_sync set read_again_at = now(), all_read_again_at = '-infinity'
