-- What an attempt led to is over, or refused: the next is another for Stripe. Of several who see that, one begins it.
update stripe_checkout set attempt = ${next}, session_id = null where user_id = ${user_id} and attempt = ${attempt}
