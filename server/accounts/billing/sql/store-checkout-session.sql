-- Stores the open payment page of a user, unless its attempt is over.
update stripe_checkout set session_id = ${session_id} where user_id = ${user_id} and attempt = ${attempt}
