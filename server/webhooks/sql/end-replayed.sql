-- Ends deliveries that were under way while their events were put into the line again, and have failed meanwhile: left to be
-- tried again at their own time, they would hold up the rest of their items till then. What is still under way is ended by
-- whoever ends the attempt (finish-delivery.sql). They are to be held.
update webhook_delivery set state = 'failed', finished_at = now(), lease_until = null
where user_id = ${user_id} and endpoint_uid = ${uid} and id = any(${ids}::bigint[]) and state = 'pending'
  and (lease_until is null or lease_until < now())
