-- The holder of a session has proved who they are just now.
update bearer_token set verified_at = now() where user_id = ${user_id} and token_hash = ${token_hash} returning uid
