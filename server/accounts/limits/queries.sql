-- name: beginAttempt
-- Counts an attempt as failed before it is checked.
select allowed as "allowed!", count as "count!", extract(epoch from blocked_until - statement_timestamp())::float8 as wait
from count_attempt(:kind, :subject, :network, :max, :window, :first, :longest)

-- name: findKnownCaller
-- Returns whether the account of a phone number has signed in from a network before.
select exists (
  select from app_user join known_network known on known.user_id = app_user.id
  where app_user.phone_number = :phone and app_user.phone_verified and known.network = :network
) as "is_known!"

-- name: forgiveAttempts
-- Deletes the failures of a subject: everywhere, or of one network and of the subject as a whole.
delete from failed_attempt
where kind = any(:kinds) and subject = :subject and (:network?::bytea is null or network in (:network, ''::bytea))

-- name: listEventAges
-- Returns how many seconds ago the events of a subject were, newest first.
select extract(epoch from statement_timestamp() - past.at)::float8 as "age!"
from recent_event, unnest(recent_event.times) as past (at)
where recent_event.kind = :kind and recent_event.subject = :subject
order by past.at desc

-- name: recordEvent
-- Records an event of a subject, unless one of the limits (`maxima` within `seconds`) is reached. The row's lock keeps
-- it exact under any parallelism.
insert into recent_event as known (kind, subject, times, allowed, expires_at)
values (:kind, :subject, array[statement_timestamp()], true,
  statement_timestamp() + :longest * interval '1 second')
on conflict (kind, subject) do update set
  allowed = not exists (
    select from unnest(:maxima::integer[], :seconds::float8[]) as allowed (max, seconds)
    where allowed.max <= (
      select count(*) from unnest(known.times) as past (at)
      where past.at > statement_timestamp() - allowed.seconds * interval '1 second'
    )
  ),
  times = (
    select coalesce(array_agg(past.at order by past.at), '{}') from unnest(known.times) as past (at)
    where past.at > statement_timestamp() - :longest * interval '1 second'
  ) || case when exists (
    select from unnest(:maxima::integer[], :seconds::float8[]) as allowed (max, seconds)
    where allowed.max <= (
      select count(*) from unnest(known.times) as past (at)
      where past.at > statement_timestamp() - allowed.seconds * interval '1 second'
    )
  ) then '{}'::timestamptz[] else array[statement_timestamp()] end,
  expires_at = statement_timestamp() + :longest * interval '1 second'
returning allowed, (
  select coalesce(array_agg(extract(epoch from statement_timestamp() - past.at)::float8 order by past.at desc), '{}')
  from unnest(times) as past (at)
) as "ages!"

-- name: takeBackAttempt
-- Takes back attempts that were counted and then not made. Like counting, it does not wait for the disk.
update failed_attempt set count = greatest(count - 1, 0), blocked_until = null
from set_config('synchronous_commit', 'off', true)
where kind = any(:kinds) and subject = :subject and network in (:network, ''::bytea)
