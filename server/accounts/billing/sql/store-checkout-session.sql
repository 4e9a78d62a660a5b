-- The payment page that is open for a user, unless the attempt it was opened for is over.
update stripe_checkout set session_id = ${session_id} where user_id = ${user_id} and attempt = ${attempt}
