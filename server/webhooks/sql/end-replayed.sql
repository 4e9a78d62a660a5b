-- Ends failed deliveries whose events were queued again while they were in progress, because their retries would delay
-- their items. Deliveries still in progress end with their attempt (finish-delivery.sql). The caller locks the rows.
update webhook_delivery set state = 'failed', finished_at = now(), lease_until = null
where user_id = ${user_id} and endpoint_uid = ${uid} and id = any(${ids}::bigint[]) and state = 'pending'
  and (lease_until is null or lease_until < now())
