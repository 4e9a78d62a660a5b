-- Keeps the answer of a call, as long as the caller still holds it.
update idempotent_call set status = ${status}, reply = ${reply}::jsonb, lease = null, leased_until = null
where user_id = ${user_id} and key = ${key} and lease = ${lease}
