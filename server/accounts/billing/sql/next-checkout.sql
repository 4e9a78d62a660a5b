-- Begins another checkout after one that is over or refused. Only one of several concurrent requests begins it.
update stripe_checkout set attempt = ${next}, session_id = null where user_id = ${user_id} and attempt = ${attempt}
