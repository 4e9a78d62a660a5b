-- name: answerIdempotentCall
-- Stores the response of a call, unless the caller has lost its lease.
update idempotent_call set status = :status, reply = :reply::jsonb, lease = null, leased_until = null
where user_id = :user_id and key = :key and lease = :lease

-- name: findIdempotentCall
-- Returns the first use of an Idempotency-Key.
select request_hash, status, reply from idempotent_call where user_id = :user_id and key = :key

-- name: releaseIdempotentCall
-- Releases the key of a failed call, which changed nothing, for another attempt. Waits for a response in progress.
delete from idempotent_call where user_id = :user_id and key = :key and lease = :lease

-- name: releaseUnansweredCalls
-- Releases unanswered calls of a dead process, whose work was rolled back. Waits for a response in progress and keeps
-- that call.
delete from idempotent_call where status is null

-- name: takeIdempotentCall
-- Claims a call for :lease_seconds. No row if it is running or was answered. Takes over a call whose process died
-- before the response, and one that is older than a day.
insert into idempotent_call as known (user_id, key, request_hash, lease, leased_until)
values (:user_id, :key, :request_hash, :lease, now() + :lease_seconds * interval '1 second')
on conflict (user_id, key) do update set
  request_hash = excluded.request_hash, lease = excluded.lease, leased_until = excluded.leased_until,
  status = null, reply = null, created_at = excluded.created_at
where excluded.created_at - known.created_at > interval '24 hours'
  or (known.status is null and known.leased_until < excluded.created_at and known.request_hash = excluded.request_hash)
returning lease
