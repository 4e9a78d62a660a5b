-- Claims a call for ${lease_seconds}. No row if it is running or was answered. Takes over a call whose process died
-- before the response, and one that is older than a day.
insert into idempotent_call as known (user_id, key, request_hash, lease, leased_until)
values (${user_id}, ${key}, ${request_hash}, ${lease}, now() + ${lease_seconds} * interval '1 second')
on conflict (user_id, key) do update set
  request_hash = excluded.request_hash, lease = excluded.lease, leased_until = excluded.leased_until,
  status = null, reply = null, created_at = now()
where known.created_at < now() - interval '24 hours'
  or (known.status is null and known.leased_until < now() and known.request_hash = excluded.request_hash)
returning lease
