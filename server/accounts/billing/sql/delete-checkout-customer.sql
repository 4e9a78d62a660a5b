-- A customer that Stripe does not have any more: the next attempt makes another.
update stripe_checkout set attempt = ${next}, session_id = null, customer_id = null
where user_id = ${user_id} and attempt = ${attempt}
