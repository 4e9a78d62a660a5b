-- Records the use of a passkey, if its counter is still the one that was checked.
update passkey set counter = ${newCounter}, last_used_at = now()
where user_id = ${user_id} and uid = ${uid} and counter = ${counter}
returning uid
