-- Deletes a customer that Stripe no longer has. The next attempt makes another.
update stripe_checkout set attempt = ${next}, session_id = null, customer_id = null
where user_id = ${user_id} and attempt = ${attempt}
