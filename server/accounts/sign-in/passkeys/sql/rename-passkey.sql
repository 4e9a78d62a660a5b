-- Renames a passkey of its own user.
update passkey set name = ${name} where user_id = ${user_id} and uid = ${uid} returning uid, name, created_at, last_used_at
