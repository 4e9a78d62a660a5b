-- Ends an endpoint of its own user. Its deliveries are not sent without it.
delete from webhook_endpoint where user_id = ${user_id} and uid = ${uid}
