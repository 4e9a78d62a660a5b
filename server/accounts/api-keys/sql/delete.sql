-- Deletes a key of its own user.
delete from api_key where user_id = ${user_id} and id = ${id}
