-- Deletes a token of its own user.
delete from bearer_token where user_id = ${user_id} and token_hash = ${token_hash}
