-- Holds an endpoint of its own user, as whoever ends an attempt, changes it or deletes it does before its deliveries.
select enabled from webhook_endpoint where user_id = ${user_id} and uid = ${uid} for no key update
