-- A passkey was used: only while its counter is the one that was checked.
update passkey set counter = ${newCounter}, last_used_at = now()
where user_id = ${user_id} and uid = ${uid} and counter = ${counter}
returning uid
