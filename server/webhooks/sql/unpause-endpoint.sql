-- Ends the pause of a failing endpoint, because the seller requested a delivery.
update webhook_endpoint set paused_until = null where user_id = ${user_id} and uid = ${uid}
