-- The seller asks for a delivery now: an endpoint that was failing is not waited for.
update webhook_endpoint set paused_until = null where user_id = ${user_id} and uid = ${uid}
