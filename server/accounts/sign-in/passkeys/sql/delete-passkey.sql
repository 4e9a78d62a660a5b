-- Deletes a passkey of its own user.
delete from passkey where user_id = ${user_id} and uid = ${uid} returning name
