-- Ends deliveries that were in progress while their events were queued again and have failed meanwhile. Retried at
-- their own times, they would hold up their items until then. Those still in progress are ended with their attempt
-- (finish-delivery.sql). The caller locks the rows.
update webhook_delivery set state = 'failed', finished_at = now(), lease_until = null
where user_id = ${user_id} and endpoint_uid = ${uid} and id = any(${ids}::bigint[]) and state = 'pending'
  and (lease_until is null or lease_until < now())
