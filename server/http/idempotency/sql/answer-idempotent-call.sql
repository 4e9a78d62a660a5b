-- Stores the response of a call, unless the caller has lost its lease.
update idempotent_call set status = ${status}, reply = ${reply}::jsonb, lease = null, leased_until = null
where user_id = ${user_id} and key = ${key} and lease = ${lease}
