-- Deletes an endpoint of its own user, which also stops its deliveries.
delete from webhook_endpoint where user_id = ${user_id} and uid = ${uid}
