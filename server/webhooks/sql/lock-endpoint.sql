-- Locks an endpoint of its own user against deletion until the transaction ends. Run it last, because a deletion waits.
select uid from webhook_endpoint where user_id = ${user_id} and uid = ${uid} for key share
