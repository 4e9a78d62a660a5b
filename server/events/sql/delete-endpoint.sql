-- Ends an endpoint of its own user, with its log.
delete from webhook_endpoint where user_id = ${user_id} and uid = ${uid}
