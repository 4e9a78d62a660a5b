-- Deletes a session of its own user.
delete from bearer_token where user_id = ${user_id} and uid = ${uid} returning uid
